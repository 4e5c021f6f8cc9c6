"""The Python client, against the real application and against a network that misbehaves."""

import pytest

# Without this, an assertion in there would fail without a word.
pytest.register_assert_rewrite("tests.client.scenarios")
