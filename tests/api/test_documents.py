"""Large JSON objects, taken apart without being decoded as a whole."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.api import documents
from provender.api.documents import LARGEST_VALUE, Document
from provender.model.errors import InvalidBody

TEXTS = st.text() | st.sampled_from(['"', "\\", '\\"', "[", "]", "{", "}", '{"', '\\\\"', "\u2028", "é🥑", ",", ":"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
STYLES: list[dict[str, Any]] = [
    {},
    {"indent": 3},
    {"separators": (",", ":")},
    {"sort_keys": True, "ensure_ascii": False},
    {"separators": ("\r\n\t , ", " \n: ")},
]


def _document(body: bytes) -> Document:
    return Document(lambda offset, size: body[offset : offset + size])


def _taken_apart(body: bytes) -> dict[str, Any]:
    """The object, put together again from its members and the items of its lists."""
    document = _document(body)
    found: dict[str, Any] = {}
    for member in document.members():
        if member is None:
            continue
        assert member.name not in found
        if member.value is None:
            found[member.name] = [msgspec.json.decode(item) for item in document.items(member.start)]
        else:
            found[member.name] = msgspec.json.decode(member.value)
    return found


@pytest.mark.parametrize("window", [1, 2, 7, 256 * 1024])
@given(
    value=st.dictionaries(TEXTS, VALUES, max_size=5),
    style=st.sampled_from(STYLES),
    blanks=st.sampled_from(["", " ", "\n\t "]),
)
def test_what_is_found_is_what_the_whole_would_be(
    window: int, value: dict[str, Any], style: dict[str, Any], blanks: str
) -> None:
    """However small the part of it is that is looked at: every value may lie across the border of two."""
    try:
        text = json.dumps(value, **style)
        body = (blanks + text + blanks).encode()
    except UnicodeEncodeError:
        # A lone surrogate is no text in UTF-8.
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "_WINDOW", window)
        try:
            found = _taken_apart(body)
        except (InvalidBody, msgspec.DecodeError):
            # Only that one does, which is written with an escape: no other value is refused.
            assert "\\ud" in text
            return
    assert found == json.loads(text)
    assert list(found) == list(json.loads(text))


@given(
    body=st.binary(max_size=40)
    | st.text(alphabet='[]{},:"\\ 1aét', max_size=30).map(str.encode)
    | st.dictionaries(TEXTS, VALUES, max_size=3).map(lambda value: json.dumps(value).encode()[:-1])
)
def test_what_is_no_json_object_is_never_taken_for_one(body: bytes) -> None:
    try:
        expected = msgspec.json.decode(body)
        is_object = isinstance(expected, dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        is_object = False
    if is_object:
        return
    with pytest.raises((InvalidBody, msgspec.DecodeError, UnicodeDecodeError)):
        _taken_apart(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"  ",
        b"[]",
        b"7",
        b"{",
        b'{"a"',
        b'{"a":',
        b'{"a":}',
        b'{"a":1',
        b'{"a":1,}',
        b'{"a":[1,]}',
        b'{"a":[,1]}',
        b'{"a":[1 2]}',
        b'{"a":[1}',
        b'{"a":"b}',
        b"{a:1}",
        b'{"a":1}{',
        b'{"a":1} x',
        b'{"a":' + b"[" * 100 + b"]" * 100 + b"}",
    ],
    ids=lambda body: body[:20].decode(),
)
def test_what_cannot_be_read_is_refused_with_a_sentence(body: bytes) -> None:
    with pytest.raises(InvalidBody, match=r"\.$"):
        _taken_apart(body)


def test_a_single_value_has_a_bound_and_a_list_has_none() -> None:
    item = b'{"note":"%b"}' % (b"x" * 1000)
    many = b'{"items":[' + b",".join([item] * 2000) + b"]}"
    assert len(many) > 2 * LARGEST_VALUE
    assert len(_taken_apart(many)["items"]) == 2000
    fitting, too_large = (b'{"items":["%b"]}' % (b"x" * size) for size in (LARGEST_VALUE - 10, 3 * LARGEST_VALUE))
    assert len(_taken_apart(fitting)["items"]) == 1
    with pytest.raises(InvalidBody, match="larger than"):
        _taken_apart(too_large)
