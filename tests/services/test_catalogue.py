"""A process follows the catalogue version in use, whatever happens to the files meanwhile."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from provender.catalogue.build import Build
from provender.catalogue.folder import CatalogueFolder
from provender.services.catalogue import CurrentCatalogue
from tests.pantry import BANANA, COLA

# Every process uses a new version within so many seconds.
MOVED_WITHIN_S = 5


@pytest.fixture
def folder(tmp_path: Path) -> CatalogueFolder:
    return CatalogueFolder(tmp_path / "catalogue")


def _build(folder: CatalogueFolder, food: object) -> str:
    with Build(folder, datetime(2026, 1, 1, tzinfo=UTC)) as build:
        build.add([food])  # type: ignore[list-item]
        return build.finish().version


@pytest.fixture
async def following(folder: CatalogueFolder) -> AsyncIterator[CurrentCatalogue]:
    _build(folder, BANANA)
    current = CurrentCatalogue(folder.path.parent)
    task = asyncio.create_task(current.run())
    await asyncio.sleep(0)
    yield current
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    current.close()


async def _moved_to(current: CurrentCatalogue, version: str) -> None:
    async with asyncio.timeout(MOVED_WITHIN_S):
        while current.get().version != version:
            await asyncio.sleep(0.05)


async def test_a_new_version_is_used_within_5_seconds(folder: CatalogueFolder, following: CurrentCatalogue) -> None:
    before = following.get()
    after = _build(folder, COLA)
    assert following.get() is before
    await _moved_to(following, after)


async def test_files_that_cannot_be_read_for_a_while_are_tried_again(
    folder: CatalogueFolder, following: CurrentCatalogue
) -> None:
    before = following.get().version
    pointer = folder.path / "current"
    pointer.unlink()
    pointer.mkdir()
    await asyncio.sleep(1.2)
    assert following.get().version == before
    pointer.rmdir()
    pointer.write_text(before)
    await _moved_to(following, _build(folder, COLA))


async def test_a_version_that_arrives_after_its_name_is_used_when_it_is_whole(
    folder: CatalogueFolder, following: CurrentCatalogue, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As when files are copied to another machine, the small one first."""
    before = following.get().version
    after = _build(folder, COLA)
    await _moved_to(following, after)
    folder.use(before)
    await _moved_to(following, before)
    shutil.move(folder.path / after, tmp_path / "aside")
    (folder.path / "current").write_text(after)
    await asyncio.sleep(2.2)
    assert following.get().version == before
    assert len([record for record in caplog.records if record.levelname == "ERROR"]) == 1, "said once"
    shutil.move(tmp_path / "aside", folder.path / after)
    await _moved_to(following, after)
