"""The documents as a site, at `/docs/`: what `make docs` has built into the folder `site` of this package.

Only what the site's own list names is served, so no path can lead elsewhere. The list also has what goes into the
headers: types, digests for `ETag`, and the hashes of the scripts and styles that pages have in them.
"""

import asyncio
from functools import lru_cache
from pathlib import Path

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from provender.api.shell import PAGE, PLAIN_HEAD, POLICY

FOLDER = Path(__file__).parents[1] / "site"

# A file whose content is in its address need not be asked for again; any other is, and is mostly 304.
_FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"

_NOT_BUILT = """<h1>Documents</h1>
<p>The documents are in the folder <code>docs</code> of the source. They were not built into this installation:
run <code>make docs</code> before you install or start it, and they are here.</p>
<p>What this server has in any case: <a href="/docs/api">the API</a>, and <a href="/docs/errors">every error</a>.</p>"""


class File(msgspec.Struct, frozen=True):
    """A file of the site. The version is what pages ask for it with, and changes with its content."""

    type: str
    digest: str
    version: str | None = None


class Site(msgspec.Struct, frozen=True):
    """What the site consists of; `script` and `style` are hashes of what stands within pages."""

    files: dict[str, File]
    script: list[str]
    style: list[str]

    def policy(self) -> str:
        """What a browser may load for a page: nothing but what this server has, and nothing that was put in later."""
        scripts, styles = ("".join(f" 'sha256-{one}'" for one in hashes) for hashes in (self.script, self.style))
        return (
            f"default-src 'none'; script-src 'self'{scripts}; style-src 'self' 'unsafe-hashes'{styles}; "
            "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        )


def find_site() -> Site | None:
    """The site as it is now: one that was built while the server runs is noticed."""
    listing = FOLDER / "site.json"
    try:
        changed = listing.stat().st_mtime_ns
    except FileNotFoundError:
        return None
    return _read(listing, changed)


@lru_cache(maxsize=1)
def _read(listing: Path, _changed: int) -> Site:
    return msgspec.json.decode(listing.read_bytes(), type=Site)


async def to_the_documents(_request: Request) -> Response:
    return RedirectResponse("/docs/")


async def document(request: Request) -> Response:
    name = request.path_params["name"] or "index.html"
    site = find_site()
    if site is None and name == "index.html":
        return HTMLResponse(PAGE.format(title="Documents", head=PLAIN_HEAD, body=_NOT_BUILT), headers=POLICY)
    file = site.files.get(name) if site else None
    if site is None or file is None:
        raise HTTPException(404)
    etag = f'"{file.digest}"'
    headers = {
        "cache-control": _FOREVER if file.version and request.url.query == f"v={file.version}" else _ASK_AGAIN,
        "content-security-policy": site.policy(),
        "etag": etag,
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
    }
    known = request.headers.get("if-none-match", "")
    if known == "*" or etag in [one.strip().removeprefix("W/") for one in known.split(",")]:
        return Response(status_code=304, headers=headers)
    content = await asyncio.to_thread((FOLDER / name).read_bytes)
    return Response(content, media_type=file.type, headers=headers)


SITE: tuple[Route, ...] = (Route("/docs", to_the_documents), Route("/docs/{name:path}", document))
