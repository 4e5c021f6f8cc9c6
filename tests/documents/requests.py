"""Which operation of the API a curl command asks for."""

import shlex
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from starlette.routing import compile_path

from tests.contract import openapi

Operation = tuple[str, str]

_WITH_A_BODY = ("-d", "--data-urlencode")


@cache
def operations() -> frozenset[Operation]:
    """All there are: their methods and paths."""
    return frozenset((method.upper(), path) for path, found in openapi()["paths"].items() for method in found)


def find_operation(command: str) -> Operation | None:
    words = shlex.split(command)
    if words[:1] != ["curl"]:
        return None
    method = "POST" if any(word in _WITH_A_BODY for word in words) and "-G" not in words else "GET"
    if "-X" in words:
        method = words[words.index("-X") + 1]
    [address] = [word for word in words if word.startswith("http://")]
    path = urlsplit(address).path
    return next(((method, known) for known, pattern in _paths() if pattern.match(path)), None)


@cache
def _paths() -> list[tuple[str, Any]]:
    """Those that are written out come first: `/v1/foods/search` is no food's id."""
    paths = sorted({path for _, path in operations()}, key=lambda path: "{" in path)
    return [(path, compile_path(path)[0]) for path in paths]
