"""What tests of the storage's services share: a catalogue beside it, and an engine that notes what it is asked."""

from collections.abc import Iterator

import pytest

from provender.services.catalogue import CurrentCatalogue
from provender.settings import Settings
from provender.storage.engine import Engine
from tests.storage.recording import RecordingEngine


@pytest.fixture
def current(settings: Settings) -> Iterator[CurrentCatalogue]:
    current = CurrentCatalogue(settings.data_dir)
    yield current
    current.close()


@pytest.fixture
async def recording(engine: Engine) -> RecordingEngine:
    await engine.change("INSERT INTO applications (id, name, created_at) VALUES ('acme', 'acme', 0)")
    return RecordingEngine(engine)
