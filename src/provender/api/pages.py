"""Pages for people: the API page, the list of errors, and the documents. What they load comes from this server."""

import html
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute
from starlette.routing import Route as PageRoute

from provender.api.errors import public_errors, status_of
from provender.api.shell import PAGE, PLAIN_HEAD, POLICY
from provender.api.site import SITE

# Swagger UI, as the package `offapi` ships it. The package itself is not imported: that would read 9 MB of pages.
_ASSETS = {
    "swagger-ui.js": ("swagger_bundle.js", "text/javascript"),
    "swagger-ui.css": ("swagger_style.css", "text/css"),
}

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
    return HTMLResponse(PAGE.format(title="API", head=head, body=body), headers=POLICY)


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
    return HTMLResponse(_errors_html(), headers=POLICY)


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
    return PAGE.format(title="Errors", head=PLAIN_HEAD, body="\n".join([intro, *sections]))


def _marked(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


PAGES: tuple[BaseRoute, ...] = (
    PageRoute("/docs/api", api_page),
    PageRoute("/docs/errors", errors_page),
    PageRoute("/docs/assets/{name}", asset),
    *SITE,
)
