"""Short ways to search: through the API, and in catalogues of the tests' own."""

import contextlib
import json
import os
from collections.abc import AsyncGenerator, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from provender.api.app import Application
from provender.catalogue.build import Build
from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.store import Catalogue
from provender.model.access import Scope
from provender.model.foods import Food, FoodType, Unit
from provender.model.paging import PageRequest
from provender.services import access
from provender.settings import Settings
from provender.storage.opening import open_engine
from tests.conftest import running
from tests.contract import check_response

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def beside(catalogue: CatalogueFolder, data_dir: Path) -> Settings:
    """Storage that nobody has used yet, on SQLite, beside a catalogue."""
    data_dir.mkdir(mode=0o700)
    (data_dir / "catalogue").symlink_to(catalogue.path)
    return Settings(data_dir=data_dir)


@contextlib.asynccontextmanager
async def client_for(catalogue: CatalogueFolder, data_dir: Path) -> AsyncGenerator[httpx.AsyncClient]:
    """The production application on this catalogue, and a client whose every answer is held against the document."""
    settings = beside(catalogue, data_dir)
    engine = await open_engine(settings)
    await engine.migrate()
    key = await access.create_key(engine, "acme", Scope.READ, NOW)
    await engine.close()
    descriptor = os.open(os.devnull, os.O_WRONLY)
    app = Application(settings, log_descriptor=descriptor)
    async with (
        running(app),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app),
            base_url="http://provender.test",
            headers={"Authorization": f"Bearer {key}"},
            event_hooks={"response": [check_response]},
        ) as client,
    ):
        yield client
    os.close(descriptor)


async def search(client: httpx.AsyncClient, query: str, **parameters: Any) -> dict[str, Any]:
    """A page of an answer."""
    response = await client.get("/v1/foods/search", params={"query": query} | parameters)
    assert response.status_code == 200, response.text
    page: dict[str, Any] = response.json()
    return page


async def names(client: httpx.AsyncClient, query: str, **parameters: Any) -> list[str]:
    """The names on a page, the first page unless a cursor is given."""
    return [food["food_name"] for food in (await search(client, query, **parameters))["data"]]


async def ids(client: httpx.AsyncClient, query: str, **parameters: Any) -> list[str]:
    return [food["_id"] for food in (await search(client, query, **parameters))["data"]]


async def walk(client: httpx.AsyncClient, query: str, *, limit: int = 100, **parameters: Any) -> list[dict[str, Any]]:
    """Every food that answers a query, page by page."""
    page = await search(client, query, limit=limit, **parameters)
    found: list[dict[str, Any]] = page["data"]
    while page["has_more"]:
        page = await search(client, query, limit=limit, starting_after=found[-1]["_id"], **parameters)
        assert page["data"], "a page that was promised is empty"
        found += page["data"]
    return found


async def walk_back(client: httpx.AsyncClient, query: str, last: str, *, limit: int, **parameters: Any) -> list[str]:
    """The ids of every food before the last one, page by page, and of that."""
    found, more = [last], True
    while more:
        page = await search(client, query, limit=limit, ending_before=found[0], **parameters)
        assert len(page["data"]) == limit or not page["has_more"]
        found = [food["_id"] for food in page["data"]] + found
        more = page["has_more"]
    return found


def plain_food(name: str, key: str | None = None, **more: Any) -> Food:
    """A food without a brand. Unless it has a key, its name makes its id."""
    return _food(name, None, "usda", "sr28", key, **more)


def brand_food(name: str, brand: str, key: str | None = None, **more: Any) -> Food:
    return _food(name, brand, "off", "off", key, **more)


def _food(name: str, brand: str | None, source: str, dataset: str, key: str | None, **more: Any) -> Food:
    return Food(
        source=source,
        source_key=key or f"{name}, {brand}",
        dataset=dataset,
        name=name,
        brand=brand,
        unit=Unit.GRAM,
        nutrients={"energy_kcal": 100.0},
        **more,
    )


def build_catalogue(path: Path, *imports: Iterable[Food]) -> CatalogueFolder:
    """A catalogue of what these imports bring, one after the other; none is a whole release."""
    folder = CatalogueFolder(path)
    for foods in imports:
        with Build(folder, NOW) as build:
            build.add(foods, partial=True)
            build.finish()
    return folder


@contextlib.contextmanager
def opened(folder: CatalogueFolder) -> Iterator[Catalogue]:
    """The version in use."""
    version = folder.current()
    assert version is not None
    catalogue = Catalogue(folder, version)
    try:
        yield catalogue
    finally:
        catalogue.close()


def page_of(
    catalogue: Catalogue, query: str, request: PageRequest, food_type: FoodType | None = None
) -> tuple[list[str], bool]:
    """The ids on a page, and whether there are more."""
    page = catalogue.search(query, request, frozenset(), food_type)
    return [json.loads(body)["_id"] for body in page.items], page.has_more


def all_of(catalogue: Catalogue, query: str, food_type: FoodType | None = None, *, limit: int = 100) -> list[str]:
    """The ids of all foods that answer a query, page by page."""
    found, more = page_of(catalogue, query, PageRequest(limit), food_type)
    while more:
        page, more = page_of(catalogue, query, PageRequest(limit, found[-1]), food_type)
        assert page, "a page that was promised is empty"
        found += page
    return found
