"""Sheets of numbers: nothing is counted twice or lost, whichever process counts, and whatever becomes of it."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from provender.cli.serve import _take_sheet
from provender.metrics.counts import BATCH_SIZES, DURATIONS_S, CommitCounts
from provender.metrics.folder import sheet_folder
from provender.metrics.sheet import Layout, Sheet, read_sheets, sum_sheets, take_sheet

LAYOUT = Layout(routes=3, statuses=(200, 404, 500))
MS = 1_000_000


def _take_and_count(folder: Path, requests: int) -> None:
    """What a worker does: it takes a sheet, answers some requests, and is in the middle of one more."""
    sheet = take_sheet(folder, LAYOUT)
    for _ in range(requests):
        sheet.requests.begin()
        sheet.requests.observe(1, 200, MS)
    sheet.requests.begin()
    sheet.keys.remember(7)


def _worker(folder: Path, requests: int) -> "multiprocessing.context.SpawnProcess":
    return multiprocessing.get_context("spawn").Process(target=_take_and_count, args=(folder, requests))


def test_a_request_is_counted_once_by_its_route_and_its_status() -> None:
    counts = Sheet(LAYOUT).requests
    counts.observe(0, 404, MS)
    counts.observe(3, 200, MS)
    counts.observe(3, 200, 2 * MS)
    counts.observe(3, 418, MS)
    assert counts.by_status(0) == {200: 0, 404: 1, 500: 0, None: 0}
    assert counts.by_status(1) == {200: 0, 404: 0, 500: 0, None: 0}
    assert counts.by_status(3) == {200: 2, 404: 0, 500: 0, None: 1}


@pytest.mark.parametrize("number", range(len(DURATIONS_S)))
def test_a_duration_of_a_bound_belongs_to_the_bucket_below_it(number: int) -> None:
    counts = Sheet(LAYOUT).requests
    bound = round(DURATIONS_S[number] * 1_000_000_000)
    counts.observe(2, 200, bound)
    counts.observe(2, 500, bound + 1)
    buckets, total = counts.durations(2)
    assert [place for place, found in enumerate(buckets) if found] == [number, number + 1]
    assert sum(buckets) == 2
    assert total == 2 * bound + 1


def test_no_time_at_all_is_in_the_first_bucket_and_a_day_is_in_the_last() -> None:
    counts = Sheet(LAYOUT).requests
    counts.observe(2, 200, 0)
    counts.observe(2, 200, 86_400_000 * MS)
    buckets, total = counts.durations(2)
    assert (buckets[0], buckets[-1], total) == (1, 1, 86_400_000 * MS)


def test_a_request_is_in_progress_from_its_beginning_to_its_end() -> None:
    counts = Sheet(LAYOUT).requests
    counts.begin()
    counts.begin()
    assert counts.in_progress == 2
    counts.observe(1, 200, MS)
    assert counts.in_progress == 1


def test_a_commit_is_counted_with_its_writes_and_its_duration() -> None:
    counts = CommitCounts()
    for writes in (1, 2, 3, 256):
        counts.commit(writes, MS)
    counts.fail()
    assert dict(zip(BATCH_SIZES, counts.batches.buckets, strict=False)) == dict.fromkeys(BATCH_SIZES, 0) | {
        1: 1,
        2: 1,
        4: 1,
        256: 1,
    }
    assert (counts.batches.sum, sum(counts.durations.buckets), counts.durations.sum) == (262, 4, 4 * MS)
    assert counts.failures == 1


def _seen(sheet: Sheet) -> list[object]:
    return [
        (sheet.keys.hits, sheet.keys.misses, sheet.keys.remembered),
        (sheet.commits.batches.sum, sheet.commits.durations.sum, sheet.commits.failures),
        (sheet.pool.max_connections, sheet.pool.connections, sheet.pool.in_use),
        (sheet.pool.timeouts, sheet.pool.transactions, sheet.pool.reruns),
        *(sheet.requests.durations(route) for route in range(4)),
        sheet.requests.in_progress,
        sheet.process_id,
    ]


def test_nothing_that_is_counted_stands_where_anything_else_does() -> None:
    def changed(count: Callable[[Sheet], object]) -> list[int]:
        sheet = Sheet(LAYOUT)
        count(sheet)
        return [place for place, found in enumerate(_seen(sheet)) if found != _seen(Sheet(LAYOUT))[place]]

    assert changed(lambda sheet: sheet.keys.hit()) == [0]
    assert changed(lambda sheet: sheet.keys.miss()) == [0]
    assert changed(lambda sheet: sheet.keys.remember(3)) == [0]
    assert changed(lambda sheet: sheet.commits.commit(5, 6)) == [1]
    assert changed(lambda sheet: sheet.commits.fail()) == [1]
    assert changed(lambda sheet: sheet.pool.limit(1)) == [2]
    assert changed(lambda sheet: sheet.pool.open(2)) == [2]
    assert changed(lambda sheet: sheet.pool.take()) == [2]
    assert changed(lambda sheet: sheet.pool.time_out()) == [3]
    assert changed(lambda sheet: sheet.pool.commit()) == [3]
    assert changed(lambda sheet: sheet.pool.run_again()) == [3]
    assert changed(lambda sheet: sheet.requests.observe(0, 200, MS)) == [4]
    assert changed(lambda sheet: sheet.requests.observe(3, 999, 99_999 * MS)) == [7]
    assert changed(lambda sheet: sheet.requests.begin()) == [8]
    assert changed(lambda sheet: sheet.take()) == [9]


def test_two_processes_have_a_sheet_each_and_are_summed(tmp_path: Path) -> None:
    first, second = take_sheet(tmp_path, LAYOUT), take_sheet(tmp_path, LAYOUT)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["worker-1", "worker-2"]
    first.requests.observe(1, 200, MS)
    second.requests.observe(1, 200, MS)
    second.requests.observe(0, 404, MS)
    first.keys.remember(2)
    second.keys.remember(3)
    total = sum_sheets(LAYOUT, read_sheets(tmp_path, LAYOUT, {os.getpid()}))
    assert total.requests.by_status(1)[200] == 2
    assert total.requests.by_status(0)[404] == 1
    assert total.requests.durations(1)[1] == 2 * MS
    assert total.keys.remembered == 5


def test_the_successor_of_a_process_that_died_goes_on_with_its_numbers(tmp_path: Path) -> None:
    with sheet_folder(tmp_path, LAYOUT, 1) as folder:
        worker = _worker(folder, 5)
        worker.start()
        worker.join()
        assert worker.pid is not None
        [alive] = read_sheets(folder, LAYOUT, {worker.pid})
        assert (alive.requests.by_status(1)[200], alive.requests.in_progress, alive.keys.remembered) == (5, 1, 7)
        [dead] = read_sheets(folder, LAYOUT, set())
        assert (dead.requests.by_status(1)[200], dead.requests.in_progress, dead.keys.remembered) == (5, 0, 0)
        successor = take_sheet(folder, LAYOUT)
        successor.requests.begin()
        successor.requests.observe(1, 200, MS)
        [read] = read_sheets(folder, LAYOUT, {os.getpid()})
        assert (read.requests.by_status(1)[200], read.requests.in_progress, read.keys.remembered) == (6, 0, 0)


def test_a_sheet_that_is_just_being_made_is_passed_over(tmp_path: Path) -> None:
    take_sheet(tmp_path, LAYOUT)
    (tmp_path / "worker-2").write_bytes(b"")
    assert len(read_sheets(tmp_path, LAYOUT, set())) == 1


def test_a_server_removes_its_own_folder_and_those_of_dead_servers_only(tmp_path: Path) -> None:
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from provender.metrics.folder import sheet_folder\n"
        "from provender.metrics.sheet import Layout\n"
        "with sheet_folder(Path(sys.argv[1]), Layout(1, (200,)), 1):\n"
        "    print('made', flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"made\n"
        [theirs] = tmp_path.iterdir()
        with sheet_folder(tmp_path, LAYOUT, 2) as ours:
            assert sorted(path.name for path in ours.iterdir()) == ["worker-1", "worker-2"]
            assert set(tmp_path.iterdir()) == {theirs, ours}
        assert set(tmp_path.iterdir()) == {theirs}
        other.send_signal(signal.SIGKILL)
    with sheet_folder(tmp_path, LAYOUT, 2) as ours:
        assert set(tmp_path.iterdir()) == {ours}
    assert not list(tmp_path.iterdir())


def test_a_worker_without_its_folder_counts_for_itself_and_serves(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sheet = _take_sheet(tmp_path / "removed")
    sheet.requests.observe(1, 200, MS)
    assert sheet.requests.by_status(1)[200] == 1
    assert "not counted" in caplog.text
