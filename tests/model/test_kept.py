"""What is kept: never more than its size allows, and what is used longer than what is not."""

from hypothesis import given
from hypothesis import strategies as st

from provender.model.kept import Kept


def test_what_was_put_is_found_and_nothing_else() -> None:
    kept: Kept[str, bytes] = Kept(1000, len)
    kept.put("a", b"x")
    assert kept.get("a") == b"x"
    assert kept.get("b") is None


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 40)), max_size=300))
def test_it_never_holds_more_than_its_size_unless_one_thing_does(steps: list[tuple[int, int]]) -> None:
    kept: Kept[int, bytes] = Kept(200, len)
    for key, size in steps:
        value = kept.get(key)
        if value is None:
            kept.put(key, bytes([key]) * size)
        else:
            assert value[0] == key
        # Without `get`, which would move them.
        held = {**kept._old, **kept._young}  # noqa: SLF001
        assert sum(map(len, held.values())) <= 200


def test_what_is_used_outlives_what_is_not() -> None:
    kept: Kept[int, bytes] = Kept(100, len)
    kept.put(0, b"often")
    for number in range(1, 1000):
        assert kept.get(0) == b"often"
        kept.put(number, b"once.")
    assert kept.get(0) == b"often"
    assert kept.get(1) is None
