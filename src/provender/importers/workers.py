"""Shares the pieces of a source out among processes, and puts what became of them back into the source's order."""

import queue
import threading
from collections import Counter
from collections.abc import Callable
from io import BufferedReader, BufferedWriter
from pathlib import Path
from typing import Final, cast

from provender.catalogue.build import Build
from provender.catalogue.processes import end, explain_end, start
from provender.importers.frames import Answer, Task, read_answer, write_task
from provender.importers.pieces import Pieces
from provender.importers.report import Report
from provender.model.errors import CatalogueUnavailable

# So many pieces may be with a process: one that it works on, and one that lies ready.
_AHEAD: Final = 2


class _Worker:
    """A process, and a thread that takes its answers, so that it never waits for somebody who waits for it."""

    def __init__(self, path: Path, pieces: Pieces) -> None:
        self.process = start("provender.importers.worker", str(path), pieces.form)
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
            raise explain_end(self.process)
        if answer.unwritable is not None:
            raise CatalogueUnavailable(f"The catalogue cannot be written: {answer.unwritable}.")
        if answer.failed is not None:
            raise RuntimeError(f"A process of the import failed:\n{answer.failed}")
        return answer

    def end(self) -> None:
        self.process.kill()
        # Only when nobody reads from it any more may the pipe be closed.
        self._thread.join()
        end(self.process)

    def _take_answers(self) -> None:
        pipe = cast("BufferedReader", self.process.stdout)
        answer: Answer | None = Answer()
        while answer is not None:
            answer = read_answer(pipe)
            self._answers.put(answer)


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
