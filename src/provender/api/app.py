"""The ASGI application: one way in for every request, whatever it asks for.

Endpoints of the route table are answered here, with plain bytes; pages for people and the lifespan are Starlette's.
Both get a request id, a line in the log, and problems instead of tracebacks.
"""

import asyncio
import contextlib
import gc
import itertools
import logging
import re
import secrets
import sys
import time
from collections.abc import AsyncGenerator
from functools import cache, partial
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.applications import Starlette

from provender.api import (
    catalogue,
    custom_foods,
    diary,
    eaten,
    exports,
    favorites,
    foods,
    health,
    keys,
    profiles,
    saved_meals,
    search,
    usage,
)
from provender.api.answers import Answer, Stream
from provender.api.auth import authenticate, check_scope, header_of_session, recall
from provender.api.cors import Cors
from provender.api.counting import layout_of
from provender.api.errors import InternalError, problem
from provender.api.exchange import CLIENT_GONE, Exchange, Scope, Send
from provender.api.forms import ClientGone, Headers, Receive
from provender.api.heads import check_head
from provender.api.idempotency import comparable, keyed_request, read_key, replay
from provender.api.limits import count_request
from provender.api.logs import Complaints, RequestLog, configure_logging
from provender.api.openapi import document
from provender.api.page_problems import PAGE_PROBLEMS
from provender.api.pages import PAGES
from provender.api.patience import Patience
from provender.api.routing import Call, OpenRoute, Route, Router
from provender.api.spool import Spool
from provender.console.pages import Console
from provender.metrics.sheet import Sheet
from provender.metrics.usage import Usages
from provender.model.access import MUCH_OF_A_KEY
from provender.model.errors import InvalidBody, ProvenderError
from provender.model.times import Clock, utc_now
from provender.services.access import Authenticator, Caller
from provender.services.catalogue import CurrentCatalogue
from provender.services.idempotency import AnsweredBefore, find_answer
from provender.services.quotas import Cells, Quotas
from provender.services.removal import Cleaner
from provender.services.running import Services
from provender.services.settler import Settler
from provender.services.usage import UsageRecorder
from provender.settings import Settings
from provender.storage.engine import Engine
from provender.storage.late import open_engine_sooner_or_later

_log = logging.getLogger(__name__)

# Objects that were made and are still there, before the collector looks for some that nobody can reach.
_COLLECT_AFTER = 20_000

# One with a key in it is not taken: request ids are logged.
_SANE_REQUEST_ID = re.compile(rf"(?!.*{MUCH_OF_A_KEY})[A-Za-z0-9._:/+=@-]{{1,128}}".encode())


async def _openapi(_services: Services) -> Answer:
    return Answer(_openapi_body())


_OPENAPI_ROUTE = OpenRoute(
    path="/openapi.json", handler=_openapi, summary="This document", tag="Documents", answers={200: dict}
)

ROUTES: tuple[Route | OpenRoute, ...] = (
    *foods.ROUTES,
    *search.ROUTES,
    *catalogue.ROUTES,
    *custom_foods.ROUTES,
    *favorites.ROUTES,
    *eaten.ROUTES,
    *diary.ROUTES,
    *saved_meals.ROUTES,
    *profiles.ROUTES,
    *exports.ROUTES,
    *keys.ROUTES,
    *usage.ROUTES,
    *health.ROUTES,
)


@cache
def _openapi_body() -> bytes:
    """Made when somebody asks for it: a start need not wait for it."""
    return msgspec.json.encode(document(ROUTES))


# Every route, in the order of their numbers, and the sheet that their requests are counted in.
TABLE: tuple[Route | OpenRoute, ...] = (*ROUTES, _OPENAPI_ROUTE)
LAYOUT = layout_of(TABLE)


class Application:
    """Provender as an ASGI application."""

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock = utc_now,
        log_descriptor: int | None = None,
        metrics: Sheet | None = None,
        quota_cells: Cells | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._sheet = metrics or Sheet(LAYOUT)
        self._metrics = self._sheet.requests
        self._quotas = Quotas(settings.rate_limit, quota_cells)
        self._router = Router(TABLE)
        self._patience = Patience(settings.client_timeout_s)
        self._begin = self._respond
        if settings.cors_origins is not None:
            self._begin = partial(self._respond_to_pages, Cors(settings.cors_origins))
        self._request_log = RequestLog(sys.stderr.fileno() if log_descriptor is None else log_descriptor)
        self._complaints = Complaints()
        self._request_ids = _request_ids()
        self._pages = Starlette(
            routes=[*PAGES, *Console(lambda: self.services.authenticator).routes],
            lifespan=lambda _: self.lifespan(),
            exception_handlers=PAGE_PROBLEMS,
        )
        self._pages.router.redirect_slashes = False

    @contextlib.asynccontextmanager
    async def lifespan(self) -> AsyncGenerator[None]:
        """Everything that is open while the application runs, from its first request to its last."""
        engine = await self.open_engine()
        catalogue = self.open_catalogue()
        cleaner = Cleaner(engine, self._clock)
        settler = Settler(engine, self._clock)
        usages = Usages()
        recorder = UsageRecorder(engine, usages, [f"{route.method} {route.path}" for route in TABLE], self._clock)
        authenticator = Authenticator(engine, self._clock, counts=self._sheet.keys, quotas=self._quotas, usages=usages)
        self.services = Services(engine, authenticator, cleaner, settler, catalogue, recorder, self._clock)
        tasks = [asyncio.create_task(each.run()) for each in (cleaner, settler, catalogue, recorder, self._patience)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.services.authenticator.finish()
            await recorder.finish()
            catalogue.close()
            await engine.close()
            self.flush_logs()

    async def open_engine(self) -> Engine:
        return await open_engine_sooner_or_later(self._settings, self._sheet)

    def open_catalogue(self) -> CurrentCatalogue:
        return CurrentCatalogue(self._settings.data_dir)

    def flush_logs(self) -> None:
        self._request_log.flush()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._pages(scope, receive, send)
            return
        started = time.perf_counter_ns()
        headers: Headers = dict(scope["headers"])
        request_id = headers.get(b"x-request-id")
        if request_id is None or not _SANE_REQUEST_ID.fullmatch(request_id):
            request_id = next(self._request_ids)
        exchange = Exchange(scope, headers, receive, send, request_id, self._patience)
        self._metrics.begin()
        try:
            await self._begin(exchange)
        except ClientGone:
            if exchange.status == CLIENT_GONE:
                # The server says so too of a body that ends early or in chunks that are none; then somebody is there.
                broken = InvalidBody("The body ends too early, or its chunks are wrong. Send all of it.")
                await exchange.answer(problem(broken, request_id.decode("ascii")))
            exchange.status = CLIENT_GONE
        finally:
            took = time.perf_counter_ns() - started
            bucket = self._metrics.observe(exchange.route_number, exchange.status, took)
            if exchange.caller is not None:
                exchange.caller.usage.observe(exchange.route_number, exchange.status, bucket)
            self._request_log.write(
                exchange.method, exchange.route, exchange.status, took, exchange.application, request_id
            )

    async def _respond_to_pages(self, cors: Cors, exchange: Exchange) -> None:
        """Where web pages of other origins may ask: tell each what it may do."""
        exchange.more_headers = cors.headers(exchange.headers)
        preflight = cors.preflight(exchange.method, exchange.headers)
        await (self._respond(exchange) if preflight is None else exchange.answer(preflight))

    async def _respond(self, exchange: Exchange) -> None:
        try:
            headers, sent = exchange.headers, exchange.scope["headers"]
            if len(headers) != len(sent) or headers.get(b"host") == b"" or b"transfer-encoding" in headers:
                check_head(sent, headers, exchange.scope["http_version"])
            found = self._router.find(exchange.method, exchange.raw_path)
            if found is None:
                await self._respond_with_page(exchange)
                return
            route, path = found
            exchange.route = route.path
            exchange.route_number = route.number
            answer = await self._answer(exchange, route, path)
        except ProvenderError as error:
            answer = problem(error, exchange.request_id.decode("ascii"))
            if answer.status >= 500:
                self._complaints.say(error.detail, exchange.request_id.decode("ascii"))
        except ClientGone:
            raise
        except Exception:  # noqa: BLE001 - Whatever went wrong, the caller gets a problem and the log gets the traceback.
            _log.exception("a request failed", extra={"request_id": exchange.request_id.decode("ascii")})
            # Starlette raises again what a page raised, after the answer that PAGE_PROBLEMS has for it.
            if exchange.status != CLIENT_GONE:
                return
            answer = problem(InternalError(), exchange.request_id.decode("ascii"))
        if isinstance(answer, Stream):
            await self._stream(exchange, answer)
        else:
            await exchange.answer(answer)

    async def _stream(self, exchange: Exchange, answer: Stream) -> None:
        try:
            await exchange.stream(answer)
        except (ClientGone, asyncio.CancelledError):
            raise
        except ProvenderError as error:
            exchange.status = HTTPStatus.INTERNAL_SERVER_ERROR
            self._complaints.say(f"An answer broke off. {error.detail}", exchange.request_id.decode("ascii"))
        except Exception:  # noqa: BLE001 - Too late for a problem: the caller sees an answer that breaks off.
            exchange.status = HTTPStatus.INTERNAL_SERVER_ERROR
            _log.exception("an answer broke off", extra={"request_id": exchange.request_id.decode("ascii")})

    async def _answer(self, exchange: Exchange, route: Route | OpenRoute, path: tuple[str, ...]) -> Answer | Stream:
        if isinstance(route, OpenRoute):
            return await route.handler(self.services)
        header, authenticator = exchange.headers.get(b"authorization"), self.services.authenticator
        if header is None:
            header = header_of_session(exchange.method, exchange.scope["scheme"], exchange.headers)
        caller = recall(authenticator, header) or await authenticate(authenticator, header)
        exchange.caller = caller
        if caller.quota is not None:
            count_request(exchange, caller.quota)
        if caller.scope is not route.scope:
            check_scope(caller, route.scope)
        if not route.takes_body:
            exchange.refuse_body(route)
            parameters = exchange.read_parameters(route, b"")
            known = exchange.headers.get(b"if-none-match")
            call = Call(parameters, path, caller.store, self._clock(), self.services, caller, known)
            return await route.handler(call)
        if route.document is None:
            return await self._answer_body(exchange, route, path, caller, None)
        with contextlib.closing(Spool(self._settings.data_dir)) as spool:
            return await self._answer_body(exchange, route, path, caller, spool)

    async def _answer_body(
        self, exchange: Exchange, route: Route, path: tuple[str, ...], caller: Caller, spool: Spool | None
    ) -> Answer | Stream:
        key = read_key(exchange)
        body = await exchange.read_body(spool, self._settings.import_max_mib * 1024 * 1024)
        now = self._clock()
        keyed = None
        if key is not None:
            # What the address of an import says is a part of what is asked for.
            imported = spool and b"%b\n%b" % (exchange.scope["query_string"], spool.digest())
            keyed = keyed_request(exchange, key, imported or comparable(exchange, route, body))
            # Before anything is judged: what was right when it was answered may not be so any more.
            if (kept := await find_answer(caller.store, keyed, now)) is not None:
                return replay(kept)
        parameters = exchange.read_parameters(route, body)
        call = Call(parameters, path, caller.store, now, self.services, caller, None, keyed, spool)
        try:
            return await route.handler(call)
        except AnsweredBefore as before:
            return replay(before.answer)

    async def _respond_with_page(self, exchange: Exchange) -> None:
        exchange.scope["provender.request_id"] = exchange.request_id.decode("ascii")
        await self._pages(exchange.scope, exchange.receive, exchange.send_with_id)
        refused: ProvenderError | None = exchange.scope.get("provender.refused")
        if refused is not None and exchange.status >= 500:
            self._complaints.say(refused.detail, exchange.request_id.decode("ascii"))


def _request_ids() -> Any:
    """Ids for requests whose callers sent none: a random part for the process, then a number."""
    process = secrets.token_hex(6)
    return (f"{process}{number:08x}".encode() for number in itertools.count())


def create_application(
    settings: Settings, metrics: Sheet, quota_cells: Cells | None, kind: type[Application] = Application
) -> Application:
    """What a server process runs."""
    configure_logging()
    application = kind(settings, metrics=metrics, quota_cells=quota_cells)
    # What is loaded now stays; looking for garbage in it again and again is what most collections would do. And nearly
    # nothing that a request leaves behind is garbage that only a collection finds.
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER)
    return application
