"""The console's pages, and signing in and out. What the pages show they ask of the API, as any other client does."""

import html
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from provender.console.assets import asset
from provender.console.layout import PAGE_HEADERS, assets_address, content, preloads, template
from provender.console.sessions import Session, ended_cookie, find_session, is_secure, new_session
from provender.model.errors import InvalidFormToken, Unauthenticated
from provender.services.access import Authenticator, Caller

FORM_TOKEN = "x-form-token"  # noqa: S105 - the name of a header


@dataclass(frozen=True, slots=True)
class Page:
    """A page: the file of its content, and the script of the same name that fills it."""

    path: str
    name: str
    title: str
    # The entry of the navigation under which it stands.
    entry: str
    # A file of styles that only some pages need.
    style: str | None = None


_PAGES = (
    Page("/", "foods", "Foods", "/"),
    Page("/food", "food", "Food", "/"),
    Page("/barcode", "barcode", "Barcode", "/barcode"),
    Page("/profiles", "profiles", "Profiles", "/profiles", "profiles.css"),
    Page("/profile", "profile", "Profile", "/profiles", "profiles.css"),
    Page("/catalogue", "catalogue", "Catalogue", "/catalogue"),
    Page("/keys", "keys", "Keys", "/keys"),
    Page("/usage", "usage", "Usage", "/usage"),
)

_ENTRIES = tuple((page.path, page.title) for page in _PAGES if page.path == page.entry)


class Console:
    """The routes of the console, for an application that is asked for its authenticator when it runs."""

    def __init__(self, authenticator: Callable[[], Authenticator]) -> None:
        self._authenticator = authenticator

    @property
    def routes(self) -> list[BaseRoute]:
        pages = [Route(page.path, self._endpoint(page), methods=["GET"]) for page in _PAGES]
        return [
            *pages,
            Route("/sign-in", self._sign_in_page, methods=["GET"]),
            # One route, so that a refusal of other methods names both.
            Route("/session", self._session, methods=["POST", "DELETE"]),
            Route("/console/{mark}/{name}", asset, methods=["GET"]),
        ]

    def _endpoint(self, page: Page) -> Callable[[Request], object]:
        async def answer(request: Request) -> Response:
            session = _session_of(request)
            if session is None:
                return _to_sign_in(request)
            try:
                caller = await self._authenticator().authenticate(session.key)
            except Unauthenticated:
                return _to_sign_in(request, ended=True)
            return HTMLResponse(_render(page, session, caller), headers=PAGE_HEADERS)

        return answer

    async def _sign_in_page(self, _request: Request) -> Response:
        page = template("sign-in").substitute(assets=assets_address(), preloads=preloads("sign-in.js"))
        return HTMLResponse(page, headers=PAGE_HEADERS)

    async def _session(self, request: Request) -> Response:
        return await (self._sign_in(request) if request.method == "POST" else self._sign_out(request))

    async def _sign_in(self, request: Request) -> Response:
        """The key comes in a header that no form of another site can send."""
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            raise Unauthenticated("Send the key to sign in with as the header Authorization: Bearer <API_KEY>.")
        await self._authenticator().authenticate(key.strip())
        session = new_session(key.strip())
        return Response(status_code=204, headers={"set-cookie": session.cookie(secure=_is_secure(request))})

    async def _sign_out(self, request: Request) -> Response:
        session = _session_of(request)
        if session is not None and not session.accepts(request.headers.get(FORM_TOKEN, "")):
            raise InvalidFormToken
        return Response(status_code=204, headers={"set-cookie": ended_cookie(secure=_is_secure(request))})


def _to_sign_in(request: Request, *, ended: bool = False) -> Response:
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    address = f"/sign-in?next={quote(wanted, safe='')}" + ("&ended" if ended else "")
    return RedirectResponse(address, 303, headers={"cache-control": "no-store"})


def _session_of(request: Request) -> Session | None:
    return find_session(request.headers.get("cookie", ""), secure=_is_secure(request))


def _is_secure(request: Request) -> bool:
    return is_secure(request.url.scheme, request.headers.get("x-forwarded-proto", ""))


def _render(page: Page, session: Session, caller: Caller) -> str:
    navigation = "\n".join(
        f'<li><a href="{path}"{_current(page, path)}>{html.escape(title)}</a></li>' for path, title in _ENTRIES
    )
    style = "" if page.style is None else f'\n<link rel="stylesheet" href="{assets_address()}/{page.style}">'
    return template("layout").substitute(
        title=html.escape(page.title),
        script=page.name,
        assets=assets_address(),
        style=style,
        preloads=preloads("layout.js", f"{page.name}.js"),
        navigation=navigation,
        content=content(page.name),
        form_token=session.form_token,
        application=html.escape(caller.application_name),
        scope=caller.scope.value,
    )


def _current(page: Page, path: str) -> str:
    if path != page.entry:
        return ""
    return ' aria-current="page"' if path == page.path else ' aria-current="true"'
