"""Keys and scopes."""

from hypothesis import given
from hypothesis import strategies as st

from provender.model.access import PREFIX_LENGTH, Scope, hash_key, hide_keys, is_key, new_key


def test_a_new_key_is_whole_and_unlike_any_other() -> None:
    keys = {new_key() for _ in range(1000)}
    assert len(keys) == 1000
    assert all(is_key(key) and key.startswith("pv_") and key[3:].isalnum() for key in keys)
    assert len({hash_key(key) for key in keys}) == 1000


@given(st.integers(3, 40), st.sampled_from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
def test_one_wrong_letter_is_noticed(place: int, letter: str) -> None:
    key = new_key()
    changed = key[:place] + letter + key[place + 1 :]
    assert is_key(changed) == (changed == key)


@given(st.text())
def test_no_text_is_a_key_by_chance(text: str) -> None:
    assert not is_key(text)


def test_each_scope_includes_the_ones_before_it() -> None:
    allowed = {scope: [needed for needed in Scope if scope.allows(needed)] for scope in Scope}
    assert allowed == {
        Scope.READ: [Scope.READ],
        Scope.WRITE: [Scope.READ, Scope.WRITE],
        Scope.ADMIN: [Scope.READ, Scope.WRITE, Scope.ADMIN],
    }


@given(st.text(), st.text(), st.integers(PREFIX_LENGTH + 1, 41))
def test_of_a_key_in_a_text_only_the_prefix_is_left(before: str, after: str, length: int) -> None:
    key = new_key()
    hidden = hide_keys(f"{before}{key[:length]}{after}")
    assert key[: PREFIX_LENGTH + 1] not in hidden
    assert f"{key[:PREFIX_LENGTH]}…" in hidden
    assert hide_keys(key[:PREFIX_LENGTH]) == key[:PREFIX_LENGTH]
