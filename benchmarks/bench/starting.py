"""Importing a release, and starting: seconds, and memory of all processes that take part."""

import re
import shutil
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import httpx

from benchmarks.bench.contestants import create_key, run_provender
from benchmarks.bench.context import Context, Sizes, failing
from benchmarks.bench.machine import provender_command
from benchmarks.bench.processes import NotReady, Program, free_port, running
from benchmarks.bench.results import SQLITE, Figure, Row, at_least, at_most
from benchmarks.bench.stages import Postgresql, new_folder

IMPORT, START = "Import of an Open Food Facts export", "Start and idle memory"
_SPEED, _PEAK = "foods a second, from the file to the first answer", "peak memory of all processes"
_FIRST, _LATER, _IDLE = "first start, which builds the shipped catalogue", "later starts", "idle memory of a worker"

_IMPORTED_WITHIN_S = 3600
_STARTED_WITHIN_S = 60
_EVERY_S = 0.1
_IDLE_S = 2.0
_KEY = re.compile(r"^\s*(pv_\S+)\s*$", re.MULTILINE)


def plan_import(sizes: Sizes) -> list[Row]:
    if not sizes.lines:
        return []
    return [Row(IMPORT, _SPEED, at_least(25_000)), Row(IMPORT, _PEAK, at_most(400, " MB"))]


def plan_starts(_: Sizes) -> list[Row]:
    return [
        Row(START, _FIRST, at_most(5, " s")),
        Row(START, _LATER, at_most(1, " s")),
        Row(START, _IDLE, at_most(120, " MB")),
    ]


class Peak:
    """The most that a program and its children held together, looked at ten times a second."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.mb = 0.0

    def __enter__(self) -> "Peak":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(_EVERY_S):
            self.mb = max(self.mb, sum(self._program.memory_mb().values()))


def measure_import(context: Context, _: Postgresql | None, rows: Sequence[Row]) -> None:
    lines = context.sizes.lines
    file, folder = context.stock.off_lines(lines), new_folder(context)
    data = folder / "data"
    context.say(f"Import: {lines:,} lines")
    began = time.monotonic()
    command = [*provender_command(), "import", "off", str(file), "--data-dir", str(data)]
    with running(command, folder) as program, Peak(program) as peak:
        code = program.process.wait(_IMPORTED_WITHIN_S)
    imported = time.monotonic() - began
    if code != 0:
        raise NotReady(f"the import ended with {code}: {program.explain()}")
    key = create_key(data)
    served = time.monotonic()
    with run_provender(data, folder) as server:
        _first_answer(server.port, key, time.monotonic() + _STARTED_WITHIN_S)
    seconds = imported + time.monotonic() - served
    said = program.output.read_text()
    for row in rows:
        row.figures[SQLITE] = Figure.of([lines / seconds if row.name == _SPEED else peak.mb])
        row.details |= {"lines": lines, "import_s": imported, "all_s": seconds, "peak_mb": peak.mb}
        row.notes.append(f"{lines:,} lines, {file.stat().st_size / 1e6:,.0f} MB compressed; {_summary(said)}")
    shutil.rmtree(data)


def _summary(said: str) -> str:
    """The sentence of an import's report that counts."""
    return next((line for line in said.splitlines() if "records read" in line), "no report")


def measure_starts(context: Context, _postgresql: Postgresql | None, rows: Sequence[Row]) -> None:
    first, later, idle = [], [], []
    for number in range(context.sizes.starts):
        context.say(f"Starts: {number + 1} of {context.sizes.starts}")
        folder = new_folder(context)
        took, key, _ = _start(context, folder, None)
        first.append(took)
        took, _, held = _start(context, folder, key)
        later.append(took)
        idle.append(held)
    samples = {_FIRST: first, _LATER: later, _IDLE: idle}
    for row in rows:
        with failing(context, [row], SQLITE):
            row.figures[SQLITE] = Figure.of(samples[row.name])
            row.details["samples"] = samples[row.name]
    _note(rows, _FIRST, "from the command to the first found food, 8,789 foods built on the way")
    _note(rows, _LATER, "from the command to the first found food")
    _note(rows, _IDLE, f"PSS of all processes of a server with one worker, {_IDLE_S:g} s after its first answer")


def _note(rows: Sequence[Row], name: str, text: str) -> None:
    for row in rows:
        if row.name == name:
            row.notes.append(text)


def _start(context: Context, folder: Path, key: str | None) -> tuple[float, str, float]:
    """Seconds to the first answer, the key, and what the server's processes hold together when nothing is asked."""
    port = free_port()
    command = [*provender_command(), "serve", "--port", str(port), "--data-dir", str(folder / "data")]
    began = time.monotonic()
    deadline = began + _STARTED_WITHIN_S
    with running(command, folder, core=context.server_core) as program:
        while key is None:
            found = _KEY.search(program.output.read_text())
            key = found[1] if found else None
            _wait(program, deadline)
        _first_answer(port, key, deadline, program)
        took = time.monotonic() - began
        time.sleep(_IDLE_S)
        return took, key, sum(program.memory_mb().values())


def _wait(program: Program, deadline: float) -> None:
    if program.process.poll() is not None or time.monotonic() > deadline:
        raise NotReady(f"the server did not start: {program.explain()}")
    time.sleep(0.005)


def _first_answer(port: int, key: str, deadline: float, program: Program | None = None) -> None:
    """Ask until a food is found."""
    while True:
        try:
            answer = httpx.get(
                f"http://127.0.0.1:{port}/v1/foods/search?query=milk&limit=1",
                headers={"Authorization": f"Bearer {key}"},
                timeout=5,
            )
            if answer.status_code == 200 and answer.json()["data"]:
                return
        except httpx.TransportError:
            pass
        if program is not None:
            _wait(program, deadline)
        elif time.monotonic() > deadline:
            raise NotReady("the server did not answer in time")
