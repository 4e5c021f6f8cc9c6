"""Both clients do the same, over ASGI and over a socket."""

import re
from pathlib import Path

import pytest

from provender_client import AsyncClient, Client
from tests.client import scenarios
from tests.client.scenarios import SCENARIOS, run, run_async
from tests.client.surface import DECLARED, NOT_YET_SERVED


@pytest.mark.parametrize("name", SCENARIOS)
async def test_the_client_that_is_awaited_over_asgi(client: AsyncClient, name: str) -> None:
    await run_async(client, SCENARIOS[name])


def test_the_client_that_blocks_over_a_socket(blocking: Client) -> None:
    for scenario in SCENARIOS.values():
        run(blocking, scenario)


@pytest.mark.parametrize("method", sorted(set(DECLARED) - NOT_YET_SERVED))
def test_every_method_has_its_place_in_a_scenario(method: str) -> None:
    text = Path(scenarios.__file__).read_text()
    assert re.search(rf"\bclient\.{re.escape(method)}\(", text)
