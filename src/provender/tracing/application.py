"""The application with a span for each request, by the stable conventions of OpenTelemetry for HTTP.

It is a kind of `Application` that takes its place when a worker starts: without traces, nothing is different.
"""

import contextlib
import re
from collections.abc import AsyncGenerator
from functools import cache
from typing import Any

from opentelemetry.context import attach, detach
from opentelemetry.trace import SpanKind, Status, StatusCode, get_current_span, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from provender.api.app import Application
from provender.api.exchange import CLIENT_GONE, Exchange, Scope, Send
from provender.api.forms import Receive
from provender.api.logs import RequestLog
from provender.services.catalogue import CurrentCatalogue
from provender.settings import Settings
from provender.storage.engine import Engine
from provender.tracing.catalogue import TracedCurrentCatalogue
from provender.tracing.engine import TracedEngine
from provender.tracing.spans import Attributes, Traces

_METHODS = frozenset({"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"})
_OTHER = "_OTHER"

_propagator = TraceContextTextMapPropagator()


class TracedApplication(Application):
    """Provender with traces."""

    def __init__(self, settings: Settings, **more: Any) -> None:
        super().__init__(settings, **more)
        self._request_log = _TracedRequestLog(self._request_log.descriptor)
        self._traces = Traces()
        # Where we listen; the header that callers send says whatever they like.
        self._about: Attributes = {"url.scheme": "http", "server.address": settings.host, "server.port": settings.port}

    @contextlib.asynccontextmanager
    async def lifespan(self) -> AsyncGenerator[None]:
        try:
            async with super().lifespan():
                yield
        finally:
            await self._traces.close()

    async def open_engine(self) -> Engine:
        system = "sqlite" if self._settings.database_url is None else "postgresql"
        return TracedEngine(await super().open_engine(), self._traces.tracer, system)

    def open_catalogue(self) -> CurrentCatalogue:
        return TracedCurrentCatalogue(self._settings.data_dir, self._traces.tracer)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        method = scope["method"] if scope["method"] in _METHODS else _OTHER
        attributes = {"http.request.method": method, "network.protocol.version": scope["http_version"], **self._about}
        name = "HTTP" if method == _OTHER else method
        parent = _propagator.extract(_trace_headers(scope))
        span = self._traces.tracer.start_span(name, parent, SpanKind.SERVER, attributes)
        token = attach(set_span_in_context(span, parent))
        try:
            await super().__call__(scope, receive, send)
        finally:
            detach(token)
            span.end()

    async def _respond(self, exchange: Exchange) -> None:
        try:
            await super()._respond(exchange)
        finally:
            self._describe(exchange)

    def _describe(self, exchange: Exchange) -> None:
        span = get_current_span()
        span.set_attribute("provender.request_id", exchange.request_id.decode("ascii"))
        if exchange.application is not None:
            span.set_attribute("provender.application", exchange.application)
        if exchange.route is not None:
            span.update_name(f"{exchange.method} {exchange.route}")
            span.set_attribute("http.route", exchange.route)
            span.set_attribute("url.path", _redacted(exchange.route))
        if exchange.status == CLIENT_GONE:
            span.set_attribute("error.type", "client_gone")
            return
        span.set_attribute("http.response.status_code", exchange.status)
        if exchange.status >= 500:
            span.set_attribute("error.type", str(exchange.status))
            span.set_status(Status(StatusCode.ERROR))


class _TracedRequestLog(RequestLog):
    """The line of a request has the id of its trace, too, behind that of the request."""

    def write(
        self,
        method: str,
        route: str | None,
        status: int,
        nanoseconds: int,
        application: str | None,
        request_id: bytes,
    ) -> None:
        trace_id = get_current_span().get_span_context().trace_id
        ids = b'%b","trace_id":"%032x' % (request_id, trace_id)
        super().write(method, route, status, nanoseconds, application, ids)


def _trace_headers(scope: Scope) -> dict[str, str]:
    """What the caller says of the trace that its request is a part of."""
    return {
        name.decode("latin-1"): value.decode("latin-1")
        for name, value in scope["headers"]
        if name in (b"traceparent", b"tracestate")
    }


@cache
def _redacted(route: str) -> str:
    """The path without the values in it: a profile's id is the caller's own, and no log has it either."""
    return re.sub(r"\{\w+\}", "REDACTED", route)
