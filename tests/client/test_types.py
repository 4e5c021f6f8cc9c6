"""What a type checker knows of the client. `make lint` checks this file; where an ignore is not needed, it fails."""

from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any, assert_type

from provender_client import (
    AsyncClient,
    AsyncDownload,
    AsyncPages,
    Client,
    Download,
    Food,
    Page,
    Pages,
    Profile,
    Summary,
)


def blocking(client: Client) -> None:
    assert_type(client.foods.retrieve("x"), Food)
    assert_type(client.foods.retrieve(food_id="x", include=["vitamins", "servings"]), Food)
    assert_type(client.foods.search("x"), Pages[Food])
    assert_type(iter(client.foods.search("x")), Iterator[Food])
    assert_type(client.foods.search("x").page(), Page[Food])
    assert_type(client.foods.search("x").page()[0], Food)
    assert_type(client.foods.search("x").page()[:2], tuple[Food, ...])
    assert_type(client.foods.search("x").first(), Food | None)
    assert_type(client.diary.summary("x", date="2026-03-09"), Summary)
    assert_type(client.profiles.export("x"), Download)
    assert_type(client.with_options(max_retries=0).profiles.retrieve("x"), Profile)


async def awaited(client: AsyncClient) -> None:
    coming = client.foods.retrieve("x")
    assert_type(await assert_type(coming, Coroutine[Any, Any, Food]), Food)
    assert_type(client.foods.search("x"), AsyncPages[Food])
    assert_type(aiter(client.foods.search("x")), AsyncIterator[Food])
    assert_type(await client.foods.search("x").page(), Page[Food])
    assert_type(client.profiles.export("x"), AsyncDownload)


def refused(client: Client) -> None:
    client.foods.retrieve()  # type: ignore[call-arg]
    client.foods.retrieve(5)  # type: ignore[arg-type]
    client.foods.retrieve("x", includes=[])  # type: ignore[call-arg]
    client.foods.retrieve("x", include=["vitamin"])  # type: ignore[list-item]
    client.foods.retrieve("x", include="vitamins")  # type: ignore[arg-type]
    client.foods.search("x", food_type="brands")  # type: ignore[arg-type]
    client.diary.create(profile_reference_id="x")  # type: ignore[call-arg]
    client.diary.create_batch([{"food_id": "x"}])  # type: ignore[typeddict-item]
    client.foods.search("x").brand_name  # type: ignore[attr-defined]  # noqa: B018
