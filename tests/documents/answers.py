"""Whether an answer is the one that a page shows.

`…` stands for whatever was left out: the rest of a text, members of an object, items of a list, lines. JSON may be
broken into lines for reading, and is compared member by member, in order and with its numbers as they are written.
Everything else is compared letter by letter, but for what is different in every run, which `Names` knows.
"""

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from tests.documents.names import Names

GAP = "…"
# Members that say how long something took.
_DURATIONS = ("_ms", "took_s")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|…|[^\s{}\[\],:"…]+')


class Members(list[tuple[str, Any]]):
    """An object: its members in their order."""


class Number(str):
    """A number as it is written, since 282 and 282.0 are not the same answer."""

    __slots__ = ()


def differences(shown: str, real: str, names: Names) -> Iterator[str]:
    """What of the answer is not as the page has it, each in a sentence."""
    expected, actual = _documents(shown), real.replace("\r", "").strip("\n").splitlines()
    if GAP in expected:
        actual = _without_lines(expected, actual)
        expected = [line for line in expected if line != GAP]
    for one, line in itertools.zip_longest(expected, actual):
        if line is None:
            yield f"the answer ends before: {one}"
        elif one is None:
            yield f"the page does not show: {_shorten(line)}"
        elif one.startswith("{") and line.startswith("{"):
            yield from _compare(_parse(_with_placeholders(one)), _parse(line), "", names)
        elif not names.are_alike(one, line):
            yield f"the page has: {one}\n      but it is: {_shorten(line)}"


def _without_lines(expected: list[str], actual: list[str]) -> list[str]:
    """Those lines of an answer that a page shows, if it leaves out some in one place."""
    before, behind = expected.index(GAP), len(expected) - expected.index(GAP) - 1
    return actual[:before] + actual[max(before, len(actual) - behind) :] if behind else actual[:before]


def _documents(shown: str) -> list[str]:
    """The lines of an answer, with those put together again into which JSON was broken."""
    lines: list[str] = []
    depth = 0
    for line in shown.splitlines():
        if depth:
            lines[-1] += line.strip()
        else:
            lines.append(line)
        tokens = _TOKEN.findall(lines[-1]) if lines[-1].startswith("{") else []
        depth = sum((token in "{[") - (token in "}]") for token in tokens)
    return lines


def _with_placeholders(shown: str) -> str:
    """The same as real JSON: a member or an item of its own in the place of each `…` that stands for some."""
    written = [""]
    brackets: list[str] = []
    for token in _TOKEN.findall(shown):
        if token in "{[":
            brackets.append(token)
        elif token in "}]":
            brackets.pop()
        is_member = token == GAP and brackets[-1] == "{" and written[-1] != ":"
        word = f'"{GAP}":null' if is_member else f'"{GAP}"' if token == GAP else token
        if written[-1] not in ",:{[" and word not in ",:}]":
            # Two values side by side: one of them was left out, and nobody writes a comma there.
            written.append(",")
        written.append(word)
    return "".join(written)


def _parse(text: str) -> Any:
    return json.loads(text, object_pairs_hook=Members, parse_int=Number, parse_float=Number)


def _compare(shown: Any, real: Any, place: str, names: Names) -> Iterator[str]:
    if isinstance(shown, Members) and isinstance(real, Members):
        yield from _compare_members(shown, real, place, names)
    elif type(shown) is list and type(real) is list:
        yield from _compare_items(shown, real, place, names)
    elif isinstance(shown, str) and type(shown) is type(real):
        if not names.are_alike(shown, real) and not (isinstance(shown, Number) and place.endswith(_DURATIONS)):
            yield f"{place}: the page has {shown}, but it is {_shorten(real)}"
    elif shown != GAP and (shown is not real or isinstance(shown, list)):
        yield f"{place}: the page has {_write(shown)}, but it is {_shorten(_write(real))}"


def _compare_members(shown: Members, real: Members, place: str, names: Names) -> Iterator[str]:
    left = list(real)
    is_gap = False
    for name, value in shown:
        if name == GAP:
            is_gap = True
            continue
        there = [other for other, _ in left]
        if name not in there if is_gap else there[:1] != [name]:
            yield f"{place or 'the answer'} has no {name} here, but {', '.join(there[:5]) or 'ends'}"
            return
        position = there.index(name)
        yield from _compare(value, left[position][1], f"{place}.{name}".lstrip("."), names)
        left, is_gap = left[position + 1 :], False
    if left and not is_gap:
        yield f"{place or 'the answer'} has more than the page: {', '.join(name for name, _ in left)}"


def _compare_items(shown: list[Any], real: list[Any], place: str, names: Names) -> Iterator[str]:
    position, is_gap = 0, False
    for item in shown:
        if item == GAP:
            is_gap = True
            continue
        if is_gap:
            later = range(position, len(real))
            position = next((at for at in later if not any(_compare(item, real[at], "", names.copy()))), len(real))
            is_gap = False
        if position >= len(real):
            yield f"{place}: no item is {_shorten(_write(item))}"
            return
        yield from _compare(item, real[position], f"{place}[{position}]", names)
        position += 1
    if position < len(real) and not is_gap:
        yield f"{place} has {len(real)} items, and the page {position}"


def _write(value: Any) -> str:
    if isinstance(value, Members):
        return "{" + ",".join(f'"{name}":{_write(inner)}' for name, inner in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_write, value)) + "]"
    return str(value) if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def _shorten(text: str, length: int = 300) -> str:
    return text if len(text) <= length else f"{text[:length]}…"
