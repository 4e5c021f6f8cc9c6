"""Spans, and where they go: a provider for one process, whose queue is bounded and whose end is, too.

Nothing that a caller has sent becomes a part of a span: no message of an error either, which may repeat it.
"""

import asyncio
import contextlib
import os
import threading
import uuid
from collections.abc import Iterator, Mapping

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter
from opentelemetry.trace import INVALID_SPAN, Span, SpanKind, Status, StatusCode, Tracer, get_current_span

from provender import __version__
from provender.model.errors import ProvenderError, StorageUnavailable
from provender.tracing.asking import exporter_names

# Of the eight seconds that a worker has to stop.
_CLOSED_WITHIN_S = 3.0

Attributes = Mapping[str, str | int]


def _make_exporter(name: str) -> SpanExporter:
    return ConsoleSpanExporter() if name == "console" else OTLPSpanExporter()


class Traces:
    """The spans of this process, on their way.

    Everything that can be set is read by the SDK itself: OTEL_TRACES_SAMPLER, OTEL_BSP_MAX_QUEUE_SIZE and so on.
    """

    def __init__(self) -> None:
        instance = str(uuid.uuid4())
        ours = {"service.name": "provender", "service.version": __version__, "service.instance.id": instance}
        # What an operator says of the service wins, its name before all.
        resource = Resource.create(ours).merge(OTELResourceDetector().detect())
        # We end it ourselves, while there is still an event loop and a limit.
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        for name in exporter_names(os.environ):
            # It exports in a thread of its own. When its queue is full, spans are dropped; nobody ever waits for it.
            self._provider.add_span_processor(BatchSpanProcessor(_make_exporter(name)))
        self.tracer: Tracer = self._provider.get_tracer("provender", __version__)

    async def close(self) -> None:
        """Send what is left, but do not wait long for a collector that does not answer."""
        done, loop = asyncio.Event(), asyncio.get_running_loop()

        def end() -> None:
            self._provider.shutdown()
            # Whoever waited may have gone.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(done.set)

        # Not asyncio.to_thread: the process would wait for that thread at its end.
        threading.Thread(target=end, name="provender-last-spans", daemon=True).start()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSED_WITHIN_S):
                await done.wait()


@contextlib.contextmanager
def spanning(
    tracer: Tracer,
    name: str,
    attributes: Attributes,
    *,
    context: Context | None = None,
    kind: SpanKind = SpanKind.INTERNAL,
) -> Iterator[Span]:
    """A span around a block, below the current one or that of the context; none where that is not recorded."""
    if not get_current_span(context).is_recording():
        yield INVALID_SPAN
        return
    span = tracer.start_span(name, context, kind, attributes)
    try:
        yield span
    except BaseException as error:
        mark_failed(span, error)
        raise
    finally:
        span.end()


def mark_failed(span: Span, error: BaseException) -> None:
    """What is refused with good reason, such as a profile that is not there, is no failure of what looked for it."""
    if isinstance(error, ProvenderError) and not isinstance(error, StorageUnavailable):
        return
    span.set_attribute("error.type", type(error).__qualname__)
    span.set_status(Status(StatusCode.ERROR))
