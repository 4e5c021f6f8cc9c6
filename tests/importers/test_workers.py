"""An import that several processes share: it is the same as that of one, and ends as a whole when one of them ends."""

import gzip
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from provender.catalogue import build, processes
from provender.catalogue.folder import CatalogueFolder
from provender.importers import off, pieces, run
from provender.importers.pieces import Pieces, cut_lines
from provender.importers.report import Report
from provender.importers.run import Source, run_import
from provender.model.errors import CatalogueUnavailable

NOW = datetime(2026, 1, 1, tzinfo=UTC)

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="there is no /proc to look at processes in"
)


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE_BYTES", 2000)
    monkeypatch.setattr(run, "_FEW", 1)
    monkeypatch.setattr(build, "_MANY", 1)


def _list_lines(count: int) -> Iterator[bytes]:
    """Products of which some are rejected, some mended, and some come twice, and lines that are none."""
    for number in range(count):
        code = number % (count - 20) if number > 40 else number
        product = {
            "code": f"{code:013}",
            "product_name": f"Crème {number % 7} of tomato-soup {number}, with basil",
            "brands": f"Brand {number % 5}",
            "last_modified_t": 1_600_000_000 + number * 37 % 1000,
            "serving_size": "1 cup (240 g)",
            "nutriments": {"energy-kcal_100g": number % 1000, "fat_100g": 1.5, "salt_100g": number % 300 / 3},
        }
        yield json.dumps(product, ensure_ascii=number % 2 == 0).encode() + b"\n"
        if number % 50 == 7:
            yield b"{broken\n\n \n"
    yield b'{"code":"1"}'


LINES = b"".join(_list_lines(700))


def _source(data: bytes = LINES) -> Source:
    file = io.BytesIO(data)
    return Source("off", off.read_jsonl(file), release="one", cut=lambda: Pieces("off_jsonl", cut_lines(file)))


def _import(
    path: Path, count: int, watch: Callable[[Report], None] = lambda _: None, source: Source | None = None
) -> tuple[CatalogueFolder, Report, bytes]:
    folder = CatalogueFolder(path / "catalogue")
    rejections = path / "rejected.jsonl"
    _, report = run_import(folder, [source or _source()], now=NOW, rejections=rejections, processes=count, watch=watch)
    return folder, report, rejections.read_bytes() if rejections.exists() else b""


def _read_all(folder: CatalogueFolder) -> dict[str, object]:
    version = folder.current()
    assert version is not None
    foods = apsw.Connection(str(folder.foods_file(version)))
    tables: Any = foods.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    found: dict[str, object] = {
        name: foods.execute(f"SELECT * FROM {name}").fetchall() for (name,) in tables if name != "search"
    }
    manifest = folder.manifest(version)
    for report in manifest.reports:
        # That several processes take another time is what they are for.
        report.took_s = 0.0
    return found | {"manifest": manifest}


@pytest.mark.parametrize("count", [2, 3])
def test_several_processes_make_what_one_makes(tmp_path: Path, count: int) -> None:
    alone, report_alone, rejected_alone = _import(tmp_path / "one", 1)
    shared, report, rejected = _import(tmp_path / "several", count)
    assert _read_all(shared) == _read_all(alone)
    assert rejected == rejected_alone
    assert report == report_alone
    assert list(report.rejected) == list(report_alone.rejected)
    assert list(report.mends) == list(report_alone.mends)
    assert report.read == 715


def test_the_tab_separated_export_is_shared_too(tmp_path: Path) -> None:
    header = b"code\tproduct_name\tenergy-kcal_100g\n"
    rows = b"".join(b"%013d\tSoup %d\t%d\n" % (number, number, number) for number in range(700))

    def cut() -> Pieces:
        file = io.BytesIO(header + rows)
        return Pieces("off_csv", cut_lines(file), file.readline())

    alone, report_alone, _ = _import(tmp_path / "one", 1, source=Source("off", off.read_csv(io.BytesIO(header + rows))))
    shared, report, _ = _import(tmp_path / "several", 2, source=Source("off", [], cut=cut))
    assert report == report_alone
    assert _read_all(shared)["foods"] == _read_all(alone)["foods"]


def test_whoever_watches_sees_the_report_grow(tmp_path: Path) -> None:
    seen: list[int] = []
    _import(tmp_path, 2, lambda report: seen.append(report.read))
    assert seen == sorted(set(seen))
    assert seen[-1] == 715


def test_no_more_is_read_than_the_processes_can_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_FEW", 0)
    read = answered = 0
    ahead: list[int] = []

    def cut() -> Iterator[bytes]:
        nonlocal read
        for piece in cut_lines(io.BytesIO(LINES)):
            read += 1
            yield piece

    def watch(_: Report) -> None:
        nonlocal answered
        answered += 1
        ahead.append(read - answered)

    _import(tmp_path, 2, watch, Source("off", [], cut=lambda: Pieces("off_jsonl", cut())))
    # Two with each process, and the one that is handed over next.
    assert max(ahead) <= 5


def test_pieces_are_whole_lines_and_nothing_is_lost() -> None:
    cut = list(cut_lines(io.BytesIO(LINES)))
    assert b"".join(cut) == LINES
    assert len(cut) > 50
    assert all(piece.endswith(b"\n") for piece in cut[:-1])


def test_a_line_that_is_too_long_is_one_record_and_fills_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(off, "LONGEST_LINE", 5000)
    data = b"{}\n" + b"x" * 100_000 + b"\n{}\n"
    cut = list(cut_lines(io.BytesIO(data)))
    assert max(map(len, cut)) < 12_000
    outcomes = [outcome for piece in cut for outcome in off.read_jsonl(io.BytesIO(piece))]
    assert outcomes == list(off.read_jsonl(io.BytesIO(data)))


@needs_proc
def test_a_process_that_is_killed_ends_the_import_and_leaves_the_catalogue_as_it_was(tmp_path: Path) -> None:
    folder, _, _ = _import(tmp_path / "before", 1)
    before = folder.current()
    (tmp_path / "before" / "rejected.jsonl").unlink()

    def kill_one(_: Report) -> None:
        for child in _list_children(os.getpid()):
            os.kill(child, signal.SIGKILL)

    with pytest.raises(CatalogueUnavailable, match="ended by signal 9"):
        _import(tmp_path / "before", 2, kill_one)
    assert folder.current() == before
    assert not list(folder.path.glob(".building-*"))
    assert not (tmp_path / "before" / "rejected.jsonl").exists()
    assert not _list_children(os.getpid())


def test_an_index_that_another_process_did_not_finish_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(*arguments: str) -> "subprocess.Popen[bytes]":
        process = processes.start(*arguments)
        process.kill()
        return process

    monkeypatch.setattr(build, "start", start)
    with pytest.raises(CatalogueUnavailable, match="ended by signal 9"):
        _import(tmp_path, 2)
    assert CatalogueFolder(tmp_path / "catalogue").current() is None


def test_an_index_that_cannot_be_written_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "start", lambda module, *paths: processes.start(module, paths[0], "/dev/null/search.db"))
    with pytest.raises(CatalogueUnavailable, match=r"cannot be written: .*unable to open"):
        _import(tmp_path, 2)


def test_foods_that_are_there_already_are_in_the_index_of_another_process_too(tmp_path: Path) -> None:
    for name, count in (("one", 1), ("several", 2)):
        _import(tmp_path / name, 1)
        (tmp_path / name / "rejected.jsonl").unlink()
        later = LINES[: len(LINES) // 2].replace(b"basil", b"thyme")
        _import(tmp_path / name, count, source=_source(later))
    alone, several = (CatalogueFolder(tmp_path / name / "catalogue") for name in ("one", "several"))
    assert _read_all(several) == _read_all(alone)


@needs_proc
@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError])
def test_an_import_that_ends_early_ends_its_processes(tmp_path: Path, stop: type[BaseException]) -> None:
    calls = 0

    def interrupt(_: Report) -> None:
        nonlocal calls
        calls += 1
        if calls == 30:
            assert _list_children(os.getpid())
            raise stop

    with pytest.raises(stop):
        _import(tmp_path, 2, interrupt)
    assert not _list_children(os.getpid())
    assert CatalogueFolder(tmp_path / "catalogue").current() is None


def test_what_a_process_cannot_write_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = tmp_path / "no folder" / "staged.db"
    monkeypatch.setattr("provender.catalogue.build.Build.new_file", lambda _: nowhere)
    monkeypatch.setattr(run, "_FEW", 0)
    with pytest.raises(CatalogueUnavailable, match=r"cannot be written: .*unable to open"):
        _import(tmp_path, 2)


def test_what_fails_in_a_process_is_told(tmp_path: Path) -> None:
    source = Source("off", [], cut=lambda: Pieces("no form", iter([b"{}\n"] * 9)))
    with pytest.raises((RuntimeError, KeyError), match="no form"):
        _import(tmp_path, 2, source=source)


@needs_proc
def test_a_file_that_ends_in_the_middle_is_refused_and_no_process_stays(tmp_path: Path) -> None:
    packed = gzip.compress(LINES)
    file = gzip.GzipFile(fileobj=io.BytesIO(packed[: len(packed) // 2]))
    with pytest.raises(EOFError):
        _import(tmp_path, 2, source=Source("off", [], cut=lambda: Pieces("off_jsonl", cut_lines(file))))
    assert not _list_children(os.getpid())


@needs_proc
def test_processes_end_when_the_import_is_killed(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(
        "import itertools, sys, datetime, pathlib\n"
        "from provender.catalogue.folder import CatalogueFolder\n"
        "from provender.importers import pieces, run\n"
        'line = b\'{"code":"1","product_name":"Soup","nutriments":{"energy-kcal_100g":5}}\\n\'\n'
        "source = run.Source('off', [], cut=lambda: pieces.Pieces('off_jsonl', itertools.repeat(line * 1000)))\n"
        "run.run_import(CatalogueFolder(pathlib.Path(sys.argv[1])), [source], processes=2,\n"
        "    now=datetime.datetime.now(datetime.UTC), rejections=pathlib.Path(sys.argv[1]) / 'rejected')\n"
    )
    command = [sys.executable, str(tmp_path / "endless.py"), str(tmp_path / "catalogue")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(command, env=environment)
    try:
        assert _wait_until(lambda: len(_list_children(process.pid)) == 2)
        children = _list_children(process.pid)
    finally:
        process.kill()
        process.wait()
    assert _wait_until(lambda: not any(map(_is_running, children)))


def test_the_machine_has_at_least_one_process_to_give() -> None:
    assert 1 <= processes.count_processes() <= 8


def test_no_thread_stays_behind(tmp_path: Path) -> None:
    before = threading.active_count()
    _import(tmp_path, 2)
    assert threading.active_count() == before


def _list_children(process: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = entry.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        command = (entry.parent / "cmdline").read_bytes() if int(parent) == process and state != "Z" else b""
        if b"provender.importers.worker" in command:
            found.append(int(entry.parent.name))
    return found


def _is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _wait_until(comes: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 30
    while not comes():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
