"""What a test needs that not every machine has. Where it must be there, its absence fails the test."""

import os
from typing import NoReturn

import pytest

# Names with commas between them, such as `typescript,browser`.
VARIABLE = "PROVENDER_REQUIRE"


def require_or_skip(name: str, reason: str) -> NoReturn:
    """Skip the test for this reason, or fail it where the environment says that nothing may be missing for it."""
    if name in os.environ.get(VARIABLE, "").split(","):
        pytest.fail(f"{VARIABLE} has {name}, but {reason}")
    pytest.skip(reason)
