"""The load: wrk with a script that sends thousands of different requests, and what it says about their answers."""

import os
import re
import subprocess
import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from benchmarks.bench.machine import Cores, pinning

_MARK = "benchmark "
# A wrk that hangs is ended this much later than it should have ended by itself.
_PATIENCE_S = 30


class LoadFailed(RuntimeError):
    """wrk could not be run, or answers were not what they should be."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One request of a script. A body is form-encoded or, where the kind says so, JSON."""

    path: str
    method: str = "GET"
    body: str | None = None
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """Requests that are sent one after the other, round and round, by all connections together."""

    requests: Sequence[Sent]
    headers: Mapping[str, str] = field(default_factory=dict)

    def write(self, file: Path) -> Path:
        file.write_text(make_lua(self), encoding="utf-8")
        return file


class Load(msgspec.Struct):
    """What wrk counted. Latencies are in microseconds."""

    requests: int
    duration_us: float
    bytes: int
    connect: int
    read: int
    write: int
    timeout: int
    status: int
    p50: float
    p90: float
    p99: float
    # The processor time that wrk itself took, in seconds.
    cpu_s: float = 0.0

    @property
    def rate(self) -> float:
        return self.requests / (self.duration_us / 1e6)

    @property
    def failures(self) -> int:
        return self.connect + self.read + self.write + self.timeout + self.status

    def check(self) -> "Load":
        if self.failures or not self.requests:
            raise LoadFailed(
                f"of {self.requests} answers {self.status} were no success; {self.connect + self.read + self.write} "
                f"errors of the network, {self.timeout} timeouts"
            )
        return self


# All requests are formatted before the first is sent, so that a script costs wrk next to nothing while it measures.
_LUA = """
local sent = {{
{requests}
}}
local formatted, place = {{}}, 0
function init(args)
  for number, one in ipairs(sent) do
    local headers = {{ {headers} }}
    if one[4] then headers["Content-Type"] = one[4] end
    formatted[number] = wrk.format(one[1], one[2], headers, one[3])
  end
end
function request()
  place = place % #formatted + 1
  return formatted[place]
end
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '{mark}{{"requests":%d,"duration_us":%d,"bytes":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d,' ..
    '"status":%d,"p50":%d,"p90":%d,"p99":%d}}\\n',
    summary.requests, summary.duration, summary.bytes, errors.connect, errors.read, errors.write, errors.timeout,
    errors.status, latency:percentile(50), latency:percentile(90), latency:percentile(99)))
end
"""


def make_lua(script: Script) -> str:
    rows = (
        "{" + ", ".join(_quote(value) for value in (one.method, one.path, one.body, one.kind)) + "},"
        for one in script.requests
    )
    headers = ", ".join(f"[{_quote(name)}] = {_quote(value)}" for name, value in script.headers.items())
    return _LUA.format(requests="\n".join(rows), headers=headers, mark=_MARK)


def _quote(value: str | None) -> str:
    """A Lua string, with everything but plain letters as bytes in decimals."""
    if value is None:
        return "nil"
    return '"' + "".join(_escape(byte) for byte in value.encode()) + '"'


def _escape(byte: int) -> str:
    return chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\{byte:03}"


def address(path: str, **parameters: str | int) -> str:
    return f"{path}?{urllib.parse.urlencode(parameters)}"


def form(**parameters: str | float) -> str:
    return urllib.parse.urlencode(parameters)


def parse_load(text: str) -> Load:
    found = re.search(rf"^{_MARK}(\{{.+\}})$", text, re.MULTILINE)
    if found is None:
        raise LoadFailed(f"wrk said nothing of use: {text.strip()[-300:]!r}")
    return msgspec.json.decode(found[1], type=Load)


@dataclass(frozen=True, slots=True)
class Generator:
    """wrk, on a core of its own where that can be."""

    program: str
    core: int | None
    folder: Path

    def run(self, script: Path, port: int, *, connections: int, seconds: int, cores: Cores = None) -> Load:
        command = [self.program, "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "60s", "-s", str(script)]
        process = subprocess.Popen(  # noqa: S603 - wrk, found on the path.
            [*command, f"http://127.0.0.1:{port}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=pinning(self.core if cores is None else cores),  # noqa: PLW1509 - One thread.
        )
        before = _children_cpu_s()
        try:
            said, _ = process.communicate(timeout=seconds + _PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise LoadFailed(f"wrk did not end within {seconds + _PATIENCE_S} s") from None
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        load = parse_load(said)
        load.cpu_s = _children_cpu_s() - before
        return load


def _children_cpu_s() -> float:
    """The processor time of children that have been waited for."""
    times = os.times()
    return times.children_user + times.children_system
