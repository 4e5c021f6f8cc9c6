"""A collector of traces of our own: it takes OTLP over HTTP, and reads what it is sent."""

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass(frozen=True)
class Received:
    """A span as it arrived."""

    name: str
    kind: int
    trace_id: str
    id: str
    parent_id: str
    failed: bool
    attributes: dict[str, Any]
    resource: dict[str, Any]
    nanoseconds: int


@dataclass
class Collector:
    url: str = ""
    bodies: list[bytes] = field(default_factory=list)

    @property
    def spans(self) -> list[Received]:
        return [span for body in self.bodies for span in _read(body)]

    def children(self, parent: Received) -> list[Received]:
        return [span for span in self.spans if span.parent_id == parent.id]

    def below(self, parent: Received) -> list[Received]:
        """Everything that happened for a span."""
        return [span for child in self.children(parent) for span in (child, *self.below(child))]


def _read(body: bytes) -> Iterator[Received]:
    for of_resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        resource = _values(of_resource.resource.attributes)
        for span in (span for scope in of_resource.scope_spans for span in scope.spans):
            # Neither of them is used, and each could say what it should not.
            assert not span.events
            assert not span.status.message
            yield Received(
                span.name,
                span.kind,
                span.trace_id.hex(),
                span.span_id.hex(),
                span.parent_span_id.hex(),
                span.status.code == span.status.STATUS_CODE_ERROR,
                _values(span.attributes),
                resource,
                span.end_time_unix_nano - span.start_time_unix_nano,
            )


def _values(attributes: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in attributes}


@contextlib.contextmanager
def collecting(*, answers: bool = True) -> Iterator[Collector]:
    """A collector that listens until the end of the block; or that never answers."""
    collector, over = Collector(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            collector.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            if not answers:
                over.wait()
                return
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield collector
    finally:
        over.set()
        server.shutdown()
        thread.join()
        server.server_close()
