"""Pages for people: the API page and the list of errors. Everything they load comes from this server."""

import html
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute
from starlette.routing import Route as PageRoute

from provender.api.errors import public_errors, status_of

# Swagger UI, as the package `offapi` ships it. The package itself is not imported: that would read 9 MB of pages.
_ASSETS = {
    "swagger-ui.js": ("swagger_bundle.js", "text/javascript"),
    "swagger-ui.css": ("swagger_style.css", "text/css"),
}

_POLICY = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Provender</title>
{head}
</head>
<body>
{body}
</body>
</html>
"""

_STYLE = """<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.55 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin: 2.2rem 0 0.2rem; font-size: 1.15rem; }
h2 a { color: inherit; text-decoration: none; }
h2 a:hover { text-decoration: underline; }
code { font: 0.92em ui-monospace, monospace; background: #8882; padding: 0.1em 0.3em; border-radius: 0.25em; }
p { margin: 0.3rem 0; }
.status { opacity: 0.75; }
section:target { outline: 0.15rem solid #2a7; outline-offset: 0.6rem; border-radius: 0.2rem; }
</style>"""

_START = """SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null, persistAuthorization: false,
});
"""


async def api_page(_request: Request) -> Response:
    head = '<link rel="stylesheet" href="/docs/assets/swagger-ui.css">\n<link rel="icon" href="data:,">'
    body = (
        '<div id="api"></div>\n<script src="/docs/assets/swagger-ui.js"></script>\n'
        '<script src="/docs/assets/start.js"></script>'
    )
    return HTMLResponse(_PAGE.format(title="API", head=head, body=body), headers=_POLICY)


async def asset(request: Request) -> Response:
    name = request.path_params["name"]
    headers = {"cache-control": "public, max-age=86400", "x-content-type-options": "nosniff"}
    if name == "start.js":
        return Response(_START, media_type="text/javascript", headers=headers)
    if name not in _ASSETS:
        raise HTTPException(404)
    file, media_type = _ASSETS[name]
    return Response(_read_asset(file), media_type=media_type, headers=headers)


@cache
def _read_asset(file: str) -> bytes:
    package = find_spec("offapi")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("The package offapi, which holds the API page's assets, is not installed.")
    return (Path(package.origin).parent / file).read_bytes()


async def errors_page(_request: Request) -> Response:
    return HTMLResponse(_errors_html(), headers=_POLICY)


@cache
def _errors_html() -> str:
    sections = [
        f'<section id="{error.code}"><h2><a href="#{error.code}"><code>{error.code}</code></a></h2>\n'
        f'<p class="status">{status_of(error).value} {status_of(error).phrase}</p>\n'
        f"<p><strong>{_marked(error.title)}.</strong> {_marked(error.advice)}</p></section>"
        for error in public_errors()
    ]
    intro = (
        "<h1>Errors</h1>\n<p>Every error is a problem as in RFC 9457: its <code>code</code> is one of these and does "
        "not change, its <code>detail</code> says what to do in this case, and its <code>request_id</code> finds it in "
        "the server's log.</p>"
    )
    head = f'{_STYLE}\n<link rel="icon" href="data:,">'
    return _PAGE.format(title="Errors", head=head, body="\n".join([intro, *sections]))


def _marked(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


async def docs(_request: Request) -> Response:
    return RedirectResponse("/docs/api")


PAGES: tuple[BaseRoute, ...] = (
    PageRoute("/docs", docs),
    PageRoute("/docs/api", api_page),
    PageRoute("/docs/errors", errors_page),
    PageRoute("/docs/assets/{name}", asset),
)
