"""Whether an operator asks for traces, and what stands in their way. Knows nothing of OpenTelemetry's own code.

The variables are those of the OpenTelemetry specification, so they have its names and not ours.
"""

import importlib.util
from collections.abc import Mapping

EXPORTERS = frozenset({"otlp", "console"})

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_PROTOCOL = "http/protobuf"
_PACKAGES = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http.trace_exporter")


def are_traces_asked_for(environment: Mapping[str, str]) -> bool:
    """Whether traces are to go anywhere. An empty variable counts as not set."""
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    if exporters := environment.get("OTEL_TRACES_EXPORTER"):
        return exporters.strip().lower() != "none"
    return any(environment.get(name) for name in _ENDPOINTS)


def exporter_names(environment: Mapping[str, str]) -> list[str]:
    """Where the traces go; to a collector, unless something else is named."""
    names = environment.get("OTEL_TRACES_EXPORTER") or "otlp"
    return list(dict.fromkeys(name.strip().lower() for name in names.split(",") if name.strip()))


def find_obstacle(environment: Mapping[str, str]) -> str | None:
    """Why there can be no traces although they are asked for, as one line that says what to do."""
    if not all(map(_is_installed, _PACKAGES)):
        return "Traces are asked for, but OpenTelemetry is not installed. Install Provender with its extra `otel`."
    if unknown := [name for name in exporter_names(environment) if name not in EXPORTERS]:
        known = " and ".join(sorted(EXPORTERS))
        return f"There are no traces: OTEL_TRACES_EXPORTER names {unknown[0]!r}, and Provender knows {known}."
    protocol = next((environment[name] for name in _PROTOCOLS if environment.get(name)), _PROTOCOL)
    if "otlp" in exporter_names(environment) and protocol != _PROTOCOL:
        return f"There are no traces: the protocol is {protocol!r}. Set OTEL_EXPORTER_OTLP_PROTOCOL to {_PROTOCOL}."
    return None


def _is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False
