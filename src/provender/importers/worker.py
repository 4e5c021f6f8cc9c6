"""A process that judges pieces of a source and stages their foods, in a file of its own.

It is started as `python -m provender.importers.worker FILE FORM`. Pieces come by standard input and what became of them
goes back by standard output, in the same order; see `frames`. When the input ends, the file is closed and the process
ends; so it does when nobody reads its answers any more, because whoever started it was killed.
"""

import gc
import os
import sys
import traceback
from pathlib import Path
from typing import BinaryIO

import apsw

from provender.catalogue.processes import leave_signals_to_the_starter
from provender.catalogue.staging import Staging
from provender.importers.frames import Answer, read_task, write_answer
from provender.importers.pieces import Pieces
from provender.importers.report import Report, accept


def main() -> None:
    leave_signals_to_the_starter()
    path, form = sys.argv[1:]
    # What is there now stays; there is no need to look at it again and again.
    gc.freeze()
    try:
        _work(Path(path), form, sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        # Nobody is there any more; what is still to be written to them would only be complained about.
        os._exit(1)
    except apsw.Error as error:
        write_answer(sys.stdout.buffer, Answer(unwritable=str(error)))
    except Exception:  # noqa: BLE001 - Whatever it is, the process that started this one has to know.
        write_answer(sys.stdout.buffer, Answer(failed=traceback.format_exc()))


def _work(path: Path, form: str, tasks: BinaryIO, answers: BinaryIO) -> None:
    staging = Staging(path)
    # The first thing to come is no piece, but what stands before each.
    header = read_task(tasks)
    pieces = Pieces(form, iter(()), header.piece if header else b"")
    while task := read_task(tasks):
        report = Report()
        lines: list[bytes] = []
        foods = list(accept(pieces.read(task.piece), report, lines.append, lambda _: None))
        counts = staging.add(foods, task.first)
        write_answer(answers, Answer(report.accepted, report.rejected, report.mends, dict(counts), b"".join(lines)))
    staging.close()
    write_answer(answers, Answer(is_last=True))


if __name__ == "__main__":
    main()
