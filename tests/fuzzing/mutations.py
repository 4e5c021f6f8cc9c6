"""Documents that were right, with something changed anywhere in them, and values that programs trip over."""

import copy
import json
from typing import Any

from hypothesis import strategies as st

# Numbers that JSON has no way to write, or no float can hold, stand in a document as these texts until it is written.
_WRITTEN = {"<nan>": "NaN", "<infinity>": "-Infinity", "<1e400>": "1e400", "<long>": "9" * 400, "<twice>": '1, "a": 2'}

TEXTS = (
    "",
    " ",
    "\x00",
    "a\x00b",
    "\ud800",
    "\udfff\ud800",
    "\u202e\u2066abc",
    "\ufeff",
    "\u0344" * 50,
    "\u0130\u0131\ufb03\u1e9e",
    "a" * 256,
    "\U0001f34c" * 255,
    "\x1b[31m",
    "=HYPERLINK(1)",
    "../../etc/passwd",
    "%00",
    "'; DROP TABLE profiles; --",
    "\u0661\u0662\u0663",
    "2026-02-30",
    "0000-00-00",
    "9" * 5000,
    "NaN",
    "null",
)

odd_values = st.one_of(
    st.sampled_from(TEXTS),
    st.sampled_from(tuple(_WRITTEN)),
    st.sampled_from((None, True, False, 0, -1, -0.0, 1e300, 5e-324, 1e308, 2**63, -(2**63) - 1, 10**30)),
    st.sampled_from(([], {}, [[]], [None], {"a": {}}, {"": 1}, [{}] * 30)).map(copy.deepcopy),
    st.integers(1, 300).map(lambda depth: json.loads("[" * depth + "]" * depth)),
    st.text(max_size=20),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
)


def _places(document: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [before] if before else []
    members = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for name, value in members:
        found += _places(value, (*before, name))
    return found


def _holder(document: Any, place: tuple[Any, ...]) -> Any:
    for name in place[:-1]:
        document = document[name]
    return document


@st.composite
def changed(draw: st.DrawFn, document: Any) -> Any:
    """The document after one to three changes: something is missing, something else, something more."""
    result = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        places = _places(result)
        if not places:
            break
        place = draw(st.sampled_from(places))
        holder, name = _holder(result, place), place[-1]
        match draw(st.sampled_from(("replace", "replace", "replace", "drop", "wrap", "add", "repeat"))):
            case "replace":
                holder[name] = draw(odd_values)
            case "drop":
                del holder[name]
            case "wrap":
                holder[name] = [holder[name]]
            case "add" if isinstance(holder, dict):
                holder[draw(st.sampled_from(TEXTS) | st.text(max_size=5))] = draw(odd_values)
            case _ if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[name]))
    return result


def write(document: Any) -> bytes:
    """As JSON, and where its numbers are none, as what some programs take for JSON."""
    text = json.dumps(document)
    for mark, number in _WRITTEN.items():
        text = text.replace(f'"{mark}"', number)
    return text.encode()


@st.composite
def spoiled(draw: st.DrawFn, body: bytes, most: int = 3) -> bytes:
    """Bytes of which some are others, missing, or there again."""
    data = bytearray(body)
    for _ in range(draw(st.integers(0, most))):
        at = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(("cut", "insert", "flip"))):
            case "cut":
                del data[at : at + draw(st.integers(1, 20))]
            case "insert":
                data[at:at] = draw(
                    st.binary(max_size=4) | st.sampled_from((b"%", b"&", b"[", b"{", b'"', b"\xff", b"\\u"))
                )
            case "flip" if at < len(data):
                data[at] = draw(st.integers(0, 255))
    return bytes(data)
