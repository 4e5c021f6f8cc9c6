"""Foods of the shipped catalogue, through the API: what USDA's tables say, scaled to the serving that is shown."""

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from provender.api.app import Application
from provender.catalogue.folder import CatalogueFolder
from provender.importers.run import build_shipped
from provender.model.access import Scope
from provender.model.foods import food_id
from provender.services import access
from provender.settings import Settings
from provender.storage.opening import open_engine
from tests.conftest import running
from tests.contract import check_response
from tests.importers.test_sr28_foods import KNOWN, Known

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GROUPS = "vitamins,minerals,carbohydrates,lipids,proteins"


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data_dir = tmp_path_factory.mktemp("shipped")
    build_shipped(CatalogueFolder(data_dir / "catalogue"), NOW)
    return data_dir


@pytest.fixture
async def client(shipped: Path) -> AsyncIterator[httpx.AsyncClient]:
    settings = Settings(data_dir=shipped)
    engine = await open_engine(settings)
    await engine.migrate()
    key = await access.create_key(engine, "acme", Scope.READ, NOW)
    await engine.close()
    app = Application(settings, log_descriptor=os.open(os.devnull, os.O_WRONLY))
    async with (
        running(app),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app),
            base_url="http://provender.test",
            headers={"Authorization": f"Bearer {key}"},
            event_hooks={"response": [check_response]},
        ) as made,
    ):
        yield made


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.ndb_number)
async def test_a_food_is_answered_with_the_tables_values_for_one_serving(
    client: httpx.AsyncClient, known: Known
) -> None:
    response = await client.get(f"/v1/foods/{food_id('usda', known.ndb_number)}", params={"include": GROUPS})
    assert response.status_code == 200
    food = response.json()
    assert food["food_name"] == known.name
    assert food["brand_name"] == known.brand
    assert food["food_type"] == ("generic" if known.brand is None else "brand")
    assert (food["serving_description"], food["metric_serving_amount"]) == known.serving
    values = {"water_in_gm": food.get("water_in_gm")}
    for group in ("macro_nutrients", *GROUPS.split(",")):
        values |= food[group]
    for name, value in known.scaled.items():
        assert values[name] == value
    for entry in known.per_100_g.split(", "):
        _, name, per_100_g = entry.split(" ")
        exact = float(per_100_g) * food["metric_serving_amount"] / 100
        assert values[name] == pytest.approx(exact, rel=6e-4), name
    for name in known.absent:
        assert name not in values


def test_there_are_at_least_20_of_them() -> None:
    assert len(KNOWN) >= 20
