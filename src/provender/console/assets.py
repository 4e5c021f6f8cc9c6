"""What the pages load: styles, scripts and the icon, read once and served under a name that changes with them."""

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

# The address changes with the content, so what a browser has is right for ever.
_HEADERS = {
    "cache-control": "public, max-age=31536000, immutable",
    "vary": "accept-encoding",
    "x-content-type-options": "nosniff",
}

# Imports stand at the beginning of a line, and may have names on several lines. Modules are imported in no other way.
_IMPORT = re.compile(rb'^import\b[^"\';]*["\']\./([^"\']+)["\']', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Assets:
    """All of them, and the part of their addresses that stands for their content."""

    mark: str
    contents: dict[str, bytes]
    zipped: dict[str, bytes]


def modules_needed(scripts: tuple[str, ...], sources: Mapping[str, bytes]) -> list[str]:
    """What these scripts import, and what that imports in its turn, in the order in which a browser runs it.

    A browser that is not told finds out level by level: each costs it another way to the server and back.
    """
    # A module that is met again is done, or waits for its own imports.
    met: set[str] = set()
    needed: list[str] = []

    def visit(name: str) -> None:
        if name in met:
            return
        met.add(name)
        for found in _IMPORT.findall(sources[name]):
            visit(found.decode())
        if name not in scripts:
            needed.append(name)

    for script in scripts:
        visit(script)
    return needed


@cache
def load_assets() -> Assets:
    found = {}
    for each in files("provender.console").joinpath("assets").iterdir():
        if each.name.rpartition(".")[2] in _TYPES:
            found[each.name] = each.read_bytes()
    digest = hashlib.sha256()
    for name in sorted(found):
        digest.update(b"%b\0%d\0%b" % (name.encode(), len(found[name]), found[name]))
    return Assets(digest.hexdigest()[:16], found, {name: gzip.compress(text, 9) for name, text in found.items()})


async def asset(request: Request) -> Response:
    assets, name = load_assets(), request.path_params["name"]
    if request.path_params["mark"] != assets.mark or name not in assets.contents:
        raise HTTPException(404)
    media_type = _TYPES[name.rpartition(".")[2]]
    if _takes_gzip(request.headers):
        zipped = {**_HEADERS, "content-encoding": "gzip"}
        return Response(assets.zipped[name], media_type=media_type, headers=zipped)
    return Response(assets.contents[name], media_type=media_type, headers=_HEADERS)


def _takes_gzip(headers: Headers) -> bool:
    return "gzip" in headers.get("accept-encoding", "")
