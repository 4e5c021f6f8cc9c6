"""The parameters that every list takes."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from provender.api.kinds import Cursor, Whole
from provender.model.errors import InvalidCursor
from provender.model.ids import is_id
from provender.model.paging import DEFAULT_LIMIT, MAX_LIMIT, PageRequest


@dataclass(frozen=True, kw_only=True)
class ListParameters:
    EXCLUSIVE: ClassVar[tuple[tuple[str, str], ...]] = (("starting_after", "ending_before"),)

    starting_after: Annotated[str | None, Cursor(), "The last `_id` of the current page: gives the page after it."] = (
        None
    )
    ending_before: Annotated[str | None, Cursor(), "The first `_id` of the current page: gives the page before it."] = (
        None
    )
    limit: Annotated[int, Whole(1, MAX_LIMIT), "How many items to return at most."] = DEFAULT_LIMIT

    @property
    def page(self) -> PageRequest:
        backwards = self.ending_before is not None
        cursor = self.ending_before if backwards else self.starting_after
        if cursor is not None:
            self.check_cursor(cursor)
        return PageRequest(self.limit, cursor, backwards)

    def check_cursor(self, cursor: str) -> None:
        """What has not even the form of an id is in no list, and some of it no database would take."""
        if not is_id(cursor):
            raise InvalidCursor("A cursor is the _id of an item of this list: 16 letters and digits.")
