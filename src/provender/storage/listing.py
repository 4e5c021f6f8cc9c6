"""Cursor paging in SQL: one mechanism for every list that is stored."""

import re
from operator import itemgetter

from provender.model.paging import Page, PageRequest
from provender.storage.engine import Row, Statements, Value


class Listing:
    """A list in its order, from which pages can be read at a cost that does not grow with the list.

    `source` is everything from FROM's table to the end of WHERE, with the application as `$1` and the list's own
    values after it. `key` is the total order, all of it in one direction, so that an index holds the list in that
    order and a page is a walk along the index from the cursor's place. `id_column` is what callers know an item by.

    `around` is put around the page to add to its rows. They may then come in any order, and are put into theirs again:
    `places` says where in a row its key is.
    """

    def __init__(
        self,
        *,
        columns: str,
        source: str,
        key: tuple[str, ...],
        descending: bool,
        id_column: str,
        around: str = "{}",
        places: tuple[int, ...] = (),
    ) -> None:
        values = max(int(number) for number in re.findall(r"\$(\d+)", source))
        limit, cursor = f"${values + 1}", f"${values + 2}"
        keys = ", ".join(key)
        place = f"(SELECT {keys} FROM {source} AND {id_column} = {cursor})"

        def statement(*, down: bool, after: bool) -> str:
            # The cursor's own row is read too (<=, not <): Page.cut knows by it that the cursor is in the list.
            beyond = f" AND ({keys}) {'<=' if down else '>='} {place}" if after else ""
            order = ", ".join(f"{column} {'DESC' if down else 'ASC'}" for column in key)
            return around.format(f"SELECT {columns} FROM {source}{beyond} ORDER BY {order} LIMIT {limit}")

        self._first = statement(down=descending, after=False)
        self._onwards = statement(down=descending, after=True)
        self._backwards = statement(down=not descending, after=True)
        self._descending = descending
        self._key = itemgetter(*places) if places else None

    @property
    def statements(self) -> tuple[str, str, str]:
        """The first page, the page after a cursor, the page before one."""
        return self._first, self._onwards, self._backwards

    async def page(self, statements: Statements, request: PageRequest, *values: Value) -> Page[Row]:
        if request.cursor is None:
            rows = await statements.all(self._first, *values, request.reach)
        else:
            sql = self._backwards if request.backwards else self._onwards
            rows = await statements.all(sql, *values, request.reach, request.cursor)
        if self._key is not None:
            rows = sorted(rows, key=self._key, reverse=self._descending is not request.backwards)
        return Page.cut(rows, request)
