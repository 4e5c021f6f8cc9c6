"""Lines of a text, for a csv.reader, none of them longer than any row is."""

import csv
import io

# Far above any row; a file that never ends its line must not fill the memory.
LONGEST_LINE = 1024 * 1024
# A line that is too long may be a row that is damaged. One that is longer than this has no end worth waiting for.
ENDLESS_LINE = 256 * 1024 * 1024

_ENDS = ("\n", "\r")


class EndlessLine(Exception):
    """Raised where a line goes on and on, so that the file cannot be what it is taken for."""

    def __init__(self, number: int) -> None:
        super().__init__(f"Line {number} is longer than {ENDLESS_LINE // (1024 * 1024)} MiB.")


class Lines:
    """The lines. One that is too long raises csv.Error when it is met, and is passed by when the next is asked for."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._read = text.readline
        self._number = 0
        self._is_inside = False

    def __iter__(self) -> "Lines":
        return self

    def __next__(self) -> str:
        if self._is_inside:
            self._pass_by()
        line = self._read(LONGEST_LINE)
        if not line:
            raise StopIteration
        self._number += 1
        if len(line) == LONGEST_LINE and not line.endswith(_ENDS):
            self._is_inside = True
            raise csv.Error(f"line {self._number} is longer than {LONGEST_LINE} characters")
        return line

    def _pass_by(self) -> None:
        passed = 0
        while (line := self._read(LONGEST_LINE)) and not line.endswith(_ENDS):
            passed += len(line)
            if passed > ENDLESS_LINE:
                raise EndlessLine(self._number)
        self._is_inside = False
