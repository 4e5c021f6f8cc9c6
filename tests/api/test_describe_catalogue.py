"""GET /v1/catalogue"""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.importers.judge import judge
from provender.importers.records import Accepted, Candidate, Outcome, Rejected
from provender.importers.run import Source, run_import
from provender.model.access import Scope
from provender.model.judging import Reason
from provender.model.times import to_ms
from tests.conftest import Service
from tests.pantry import PANTRY

NOW = datetime(2026, 2, 1, tzinfo=UTC)


@pytest.fixture
def own_folder(service: Service) -> CatalogueFolder:
    """The pantry's catalogue as a copy, which a test may change."""
    path = service.settings.data_dir / "catalogue"
    shared = path.resolve()
    path.unlink()
    shutil.copytree(shared, path)
    return CatalogueFolder(path)


def _outcomes() -> Iterator[Outcome]:
    """Two products, one of them with its energy in kJ only, and three that are none."""
    yield Accepted(PANTRY[1])
    yield judge(Candidate(source="off", key="1", name="Soda", energy_kj=200.0), {})
    yield Rejected(Reason.NO_NAME, None, {})
    yield Rejected(Reason.NO_ENERGY, None, {})
    yield Rejected(Reason.NO_NAME, None, {})


def _import(folder: CatalogueFolder, tmp_path: Path, days: int = 0) -> str:
    now, rejections = NOW + timedelta(days=days), tmp_path / f"rejected-{days}.jsonl"
    manifest, _ = run_import(folder, [Source("off", _outcomes(), "2026-02")], now=now, rejections=rejections)
    return manifest.version


async def _get(client: httpx.AsyncClient) -> dict[str, Any]:
    response = await client.get("/v1/catalogue")
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def test_it_says_what_the_version_in_use_holds(acme: httpx.AsyncClient) -> None:
    built_at = 1767225600000
    assert await _get(acme) == {
        "version": "20260101T000000Z-001",
        "created_at": built_at,
        "foods": 4,
        "listed": 4,
        "barcodes": 1,
        "datasets": [
            {"name": "off", "release": "1", "foods": 1, "imported_at": built_at},
            {"name": "sr28", "release": "1", "foods": 2, "imported_at": built_at},
            {"name": "usda_branded", "release": "1", "foods": 1, "imported_at": built_at},
        ],
        "versions": [{"version": "20260101T000000Z-001", "created_at": built_at, "foods": 4, "is_current": True}],
        "last_import": None,
    }


async def test_it_tells_the_last_import_and_the_versions_newest_first(
    service: Service, acme: httpx.AsyncClient, own_folder: CatalogueFolder, tmp_path: Path
) -> None:
    version = _import(own_folder, tmp_path)
    service.app.services.catalogue.refresh()
    found = await _get(acme)
    assert found["version"] == version
    assert [(each["version"], each["foods"], each["is_current"]) for each in found["versions"]] == [
        (version, 5, True),
        ("20260101T000000Z-001", 4, False),
    ]
    report = found["last_import"]
    assert report.pop("took_s") > 0
    assert report == {
        "at": to_ms(NOW),
        "sources": [{"kind": "off", "dataset": "off", "release": "2026-02"}],
        "read": 5,
        "accepted": 2,
        "rejected": 3,
        "rejections": [
            {"reason": "no_name", "title": "It has no name.", "records": 2},
            {
                "reason": "no_energy",
                "title": "It has no energy, and not all of fat, carbohydrates and protein to work it out from.",
                "records": 1,
            },
        ],
        "mends": [{"mend": "energy_from_kj", "title": "Energy was converted from kJ.", "records": 1}],
    }


async def test_a_version_that_cannot_be_read_is_listed_with_what_is_known(
    service: Service, acme: httpx.AsyncClient, own_folder: CatalogueFolder
) -> None:
    """Also where it is the one to be used: then the one before serves on, and is the current one."""
    damaged = own_folder.path / "20260301T000000Z-001"
    damaged.mkdir()
    (damaged / "manifest.json").write_text('{"format": 3}')
    (own_folder.path / "current").write_text(damaged.name)
    service.app.services.catalogue.refresh()
    found = await _get(acme)
    assert found["version"] == "20260101T000000Z-001"
    assert found["versions"] == [
        {"version": damaged.name, "created_at": None, "foods": None, "is_current": False},
        {"version": "20260101T000000Z-001", "created_at": 1767225600000, "foods": 4, "is_current": True},
    ]


async def test_no_file_is_read_for_an_answer_and_changes_are_seen_at_the_next_look(
    service: Service, acme: httpx.AsyncClient, own_folder: CatalogueFolder, tmp_path: Path
) -> None:
    before = await _get(acme)
    version = _import(own_folder, tmp_path)
    assert await _get(acme) == before
    service.app.services.catalogue.refresh()
    assert (await _get(acme))["version"] == version
    own_folder.use(before["version"])
    service.app.services.catalogue.refresh()
    back = await _get(acme)
    assert [(each["version"], each["is_current"]) for each in back["versions"]] == [
        (version, False),
        (before["version"], True),
    ]
    assert back["last_import"] is None, "the report is the version's own"
    shutil.rmtree(own_folder.path / version)
    service.app.services.catalogue.refresh()
    assert await _get(acme) == before


async def test_a_key_that_may_only_read_is_enough(service: Service) -> None:
    assert await _get(await service.client("acme", Scope.READ))


async def test_it_takes_no_parameters(acme: httpx.AsyncClient) -> None:
    response = await acme.get("/v1/catalogue", params={"version": "20260101T000000Z-001"})
    assert response.status_code == 400
    assert response.json()["errors"][0]["code"] == "unknown_parameter"


async def test_without_a_catalogue_there_is_nothing_to_tell(service: Service, acme: httpx.AsyncClient) -> None:
    (service.settings.data_dir / "catalogue").unlink()
    service.app.services.catalogue.close()
    response = await acme.get("/v1/catalogue")
    assert response.status_code == 503
    assert response.json()["code"] == "catalogue_unavailable"
