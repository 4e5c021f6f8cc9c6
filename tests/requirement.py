"""What a machine may lack: tests that need it are skipped there, unless it was promised to be there."""

import os
from typing import NoReturn

import pytest

# Names with commas between them, such as `browser,typescript`: where CI has installed these, no test may be skipped.
VARIABLE = "PROVENDER_REQUIRE"


def require_or_skip(name: str, reason: str) -> NoReturn:
    if name in os.environ.get(VARIABLE, "").split(","):
        pytest.fail(f"{VARIABLE} says that there is {name}: {reason}")
    pytest.skip(reason)
