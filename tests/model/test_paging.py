"""How a page is cut out of what was read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.model.errors import InvalidCursor
from provender.model.paging import Page, PageRequest


def _read(items: list[int], request: PageRequest) -> list[int]:
    """What storage reads for a request: from the cursor on, in the direction asked, as far as the request reaches."""
    ordered = items[::-1] if request.backwards else items
    if request.cursor is not None:
        cursor = int(request.cursor)
        ordered = ordered[ordered.index(cursor) :] if cursor in ordered else []
    return ordered[: request.reach]


def _cut(items: list[int], request: PageRequest) -> Page[int]:
    return Page.cut(_read(items, request), request)


@given(st.integers(0, 60), st.integers(1, 100))
def test_a_walk_sees_each_item_once_in_both_directions(count: int, limit: int) -> None:
    items = list(range(count))
    page = _cut(items, PageRequest(limit))
    seen = list(page.items)
    while page.has_more:
        page = _cut(items, PageRequest(limit, str(seen[-1])))
        assert page.items
        seen += page.items
    assert seen == items
    if not items:
        return
    backwards = [items[-1]]
    page = Page([], has_more=True)
    while page.has_more:
        page = _cut(items, PageRequest(limit, str(backwards[0]), backwards=True))
        backwards = [*page.items, *backwards]
    assert backwards == items


@given(st.integers(1, 40), st.data(), st.integers(1, 50))
def test_a_page_next_to_any_cursor_is_a_slice_of_the_list(count: int, data: st.DataObject, limit: int) -> None:
    items = list(range(count))
    place = data.draw(st.integers(0, count - 1))
    after = _cut(items, PageRequest(limit, str(place)))
    assert list(after.items) == items[place + 1 :][:limit]
    assert after.has_more == (count - place - 1 > limit)
    before = _cut(items, PageRequest(limit, str(place), backwards=True))
    assert list(before.items) == items[:place][-limit:]
    assert before.has_more == (place > limit)


def test_a_cursor_that_is_not_there_is_refused() -> None:
    for backwards in (False, True):
        with pytest.raises(InvalidCursor):
            _cut([1, 2, 3], PageRequest(5, "9", backwards))
