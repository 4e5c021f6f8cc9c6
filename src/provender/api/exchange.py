"""One request and its answer on their way: reading the one, sending the other."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any

from provender.api.answers import Answer, Header, Stream
from provender.api.faults import MAX_FAULTS
from provender.api.forms import JSON, MAX_BODY, ClientGone, Headers, Receive, media_type, read_body, take_body
from provender.api.patience import GaveUp, Patience
from provender.api.routing import NO_ROUTE, Route
from provender.api.spool import Spool
from provender.model.errors import InvalidBarcode, InvalidParameters, InvalidRequest
from provender.services.access import Caller

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_WITHOUT_CONTENT = (HTTPStatus.NOT_MODIFIED.value, HTTPStatus.NO_CONTENT.value)

# As nginx has it, and only in the log: the caller hung up, so nothing could be answered.
CLIENT_GONE = 499


class Exchange:
    """One request and its answer on their way."""

    __slots__ = (
        "_body_was_read",
        "_patience",
        "_send",
        "caller",
        "headers",
        "method",
        "more_headers",
        "raw_path",
        "receive",
        "request_id",
        "route",
        "route_number",
        "scope",
        "status",
    )

    def __init__(
        self, scope: Scope, headers: Headers, receive: Receive, send: Send, request_id: bytes, patience: Patience
    ) -> None:
        self.scope = scope
        self.headers = headers
        self.receive = receive
        self._send = send
        self.request_id = request_id
        self.method: str = scope["method"]
        self.raw_path: bytes = scope["raw_path"]
        self.route: str | None = None
        self.route_number = NO_ROUTE
        # Once its key was read and works.
        self.caller: Caller | None = None
        # What the log says if nothing is answered at all, as when the request is cancelled.
        self.status = CLIENT_GONE
        self._body_was_read = False
        self._patience = patience
        # What every answer to this caller has, whatever it is.
        self.more_headers: tuple[Header, ...] = ()

    @property
    def application(self) -> str | None:
        return None if self.caller is None else self.caller.application_name

    @property
    def has_unread_body(self) -> bool:
        headers = self.headers
        if b"content-length" not in headers and b"transfer-encoding" not in headers:
            return False
        return (
            not self._body_was_read
            and self.scope["http_version"].startswith("1")
            and (headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers)
        )

    async def read_body(self, spool: Spool | None = None, largest: int = MAX_BODY) -> bytes:
        """The whole body; a document goes into its spool."""
        body = b""
        if spool is None:
            body = await read_body(self.receive, self.headers, self._patience)
        else:
            # Before anything of it is read: it may be long.
            media_type(self.headers, json_only=True)
            await take_body(self.receive, self.headers, self._patience, largest, spool.append)
        self._body_was_read = True
        return body

    def refuse_body(self, route: Route) -> None:
        if self.has_unread_body:
            raise InvalidRequest(f"The parameters of a {route.method} are sent in the address, not in a body.")

    def read_parameters(self, route: Route, body: bytes) -> Any:
        """The request's parameters, as its route declares them, from the query or from the body."""
        try:
            if route.takes_body and route.document is None:
                return self._read_parameters(route, body)
            return route.reader.read_pairs(self.scope["query_string"])
        except InvalidParameters as error:
            # A wrong barcode is an error of its own, unless there are other faults to be told with it.
            if [fault.code for fault in error.faults] == [InvalidBarcode.code]:
                raise InvalidBarcode(error.faults[0].message) from None
            raise

    def _read_parameters(self, route: Route, body: bytes) -> Any:
        query: bytes = self.scope["query_string"]
        misplaced = route.reader.refuse_query(query) if query else []
        reader = route.reader
        is_json = body and media_type(self.headers, json_only=reader.is_json_only) == JSON
        try:
            parameters = reader.read_json(body) if is_json else reader.read_pairs(body)
        except InvalidParameters as error:
            # What stands in the wrong place is not missing as well.
            named = {fault.param for fault in misplaced}
            others = [fault for fault in error.faults if fault.code != "required" or fault.param not in named]
            raise InvalidParameters([*misplaced, *others][:MAX_FAULTS]) from None
        if misplaced:
            raise InvalidParameters(misplaced)
        return parameters

    async def answer(self, answer: Answer) -> None:
        """Send an answer. Its bytes go to the server as they are: nothing here copies them."""
        body, send = answer.body, self._send
        headers = [(b"x-request-id", self.request_id), *self.more_headers, *answer.headers]
        # An answer without content says nothing about the content that it does not have.
        if answer.status not in _WITHOUT_CONTENT:
            headers += ((b"content-type", answer.content_type), (b"content-length", b"%d" % len(body)))
        if self.has_unread_body:
            # What is left of the body cannot be told from the next request, so the connection ends here.
            headers.append((b"connection", b"close"))
        self.status = answer.status
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if self.method == "HEAD" else body})

    async def stream(self, answer: Stream) -> None:
        headers: list[Header] = [(b"x-request-id", self.request_id), *self.more_headers, *answer.headers]
        headers.append((b"content-type", answer.content_type))
        self.status = answer.status
        await self._send({"type": "http.response.start", "status": answer.status, "headers": headers})
        gone = asyncio.create_task(self._wait_until_gone())
        try:
            async with contextlib.aclosing(answer.chunks) as chunks:
                # The answer to HEAD has no body, and none is made.
                if self.method != "HEAD":
                    async for chunk in chunks:
                        # A server need not tell whoever sends that nobody receives.
                        if gone.done():
                            raise ClientGone
                        await self._send_in_time(chunk)
        finally:
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)
        await self._send({"type": "http.response.body", "body": b""})

    async def _send_in_time(self, chunk: bytes) -> None:
        """Whoever does not take an answer is given up, and with it what was read for it."""
        try:
            with self._patience.waiting(len(chunk)):
                await self._send({"type": "http.response.body", "body": chunk, "more_body": True})
        except GaveUp:
            raise ClientGone from None

    async def _wait_until_gone(self) -> None:
        while (await self.receive())["type"] != "http.disconnect":
            pass

    async def send_with_id(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = message.get("headers", ())
            message["headers"] = [*own, *self.more_headers, (b"x-request-id", self.request_id)]
            if self.has_unread_body:
                message["headers"].append((b"connection", b"close"))
        await self._send(message)
