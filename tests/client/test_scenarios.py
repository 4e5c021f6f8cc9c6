"""The client that is awaited, over ASGI, on both databases. The other one is in test_over_a_socket.py."""

import re
from pathlib import Path

import pytest

from provender_client import AsyncClient
from tests.client import scenarios
from tests.client.scenarios import SCENARIOS, run_async
from tests.client.surface import DECLARED


@pytest.mark.parametrize("name", SCENARIOS)
async def test_the_client_that_is_awaited_over_asgi(client: AsyncClient, name: str) -> None:
    await run_async(client, SCENARIOS[name])


@pytest.mark.parametrize("method", sorted(DECLARED))
def test_every_method_has_its_place_in_a_scenario(method: str) -> None:
    text = Path(scenarios.__file__).read_text()
    assert re.search(rf"\bclient\.{re.escape(method)}\(", text)
