"""Shares the pieces of a source out among processes, and puts what became of them back into the source's order."""

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from io import BufferedReader, BufferedWriter
from pathlib import Path
from typing import Final, cast

from provender.catalogue.build import Build
from provender.importers.frames import Answer, Task, read_answer, write_task
from provender.importers.pieces import PIECE_BYTES, Pieces
from provender.importers.report import Report
from provender.model.errors import CatalogueUnavailable

# More would wait for the one process that reads the file.
_MOST: Final = 8

# So many pieces may be with a process: one that it works on, and one that lies ready.
_AHEAD: Final = 2


def count_processes() -> int:
    """How many processes may work at once on this machine, as far as it is given to this one."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), _MOST)
    return min(os.cpu_count() or 1, _MOST)


class _Worker:
    """A process, and a thread that takes its answers, so that it never waits for somebody who waits for it."""

    def __init__(self, path: Path, pieces: Pieces) -> None:
        # It must find what this process has found, also where that was told by other ways than the environment.
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self.process = subprocess.Popen(  # noqa: S603 - Nothing in it comes from outside.
            [sys.executable, "-P", "-m", "provender.importers.worker", str(path), pieces.form],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            pipesize=2 * PIECE_BYTES,
        )
        self._tasks = cast("BufferedWriter", self.process.stdin)
        self._answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._take_answers, daemon=True)
        self._thread.start()
        self.give(Task(0, pieces.header))

    def give(self, task: Task) -> None:
        try:
            write_task(self._tasks, task)
        except BrokenPipeError:
            # It said why before it ended, or it could not.
            while True:
                self.answer()

    def finish(self) -> None:
        """Say that there is no more to do."""
        self._tasks.close()

    def answer(self) -> Answer:
        answer = self._answers.get()
        if answer is None:
            raise self._explain()
        if answer.unwritable is not None:
            raise CatalogueUnavailable(f"The catalogue cannot be written: {answer.unwritable}.")
        if answer.failed is not None:
            raise RuntimeError(f"A process of the import failed:\n{answer.failed}")
        return answer

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._thread.join()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(BrokenPipeError):
                cast("BufferedWriter", pipe).close()

    def _take_answers(self) -> None:
        pipe = cast("BufferedReader", self.process.stdout)
        answer: Answer | None = Answer()
        while answer is not None:
            answer = read_answer(pipe)
            self._answers.put(answer)

    def _explain(self) -> CatalogueUnavailable:
        code = self.process.wait()
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        return CatalogueUnavailable(f"A process of the import {how}. The catalogue is as it was.")


def share_out(
    build: Build,
    pieces: Pieces,
    processes: int,
    report: Report,
    reject: Callable[[bytes], object],
    watch: Callable[[Report], None],
) -> Counter[str]:
    """Judge and stage all pieces, and return how many foods each dataset had.

    Pieces go round, and answers are taken in the same order. So the report, and the file of the rejected, are what
    they would be had one process done all.
    """
    counts: Counter[str] = Counter()
    workers: list[_Worker] = []
    given = taken = 0

    def take() -> None:
        nonlocal taken
        answer = workers[taken % processes].answer()
        taken += 1
        counts.update(answer.datasets)
        report.add(Report(answer.accepted, Counter(answer.rejected), Counter(answer.mends)))
        reject(answer.lines)
        watch(report)

    try:
        workers += [_Worker(build.new_file(), pieces) for _ in range(processes)]
        for piece in pieces.pieces:
            if given - taken == processes * _AHEAD:
                take()
            workers[given % processes].give(Task(build.reserve_numbers(), piece))
            given += 1
        for worker in workers:
            worker.finish()
        while taken < given:
            take()
        for worker in workers:
            if not worker.answer().is_last:
                raise RuntimeError("A process of the import answered more than it was asked.")
    finally:
        for worker in workers:
            worker.end()
    return counts
