"""What is open while the application runs."""

from dataclasses import dataclass

from provender.model.times import Clock
from provender.services.access import Authenticator
from provender.services.catalogue import CurrentCatalogue
from provender.services.removal import Cleaner
from provender.services.settler import Settler
from provender.services.usage import UsageRecorder
from provender.storage.engine import Engine


@dataclass(frozen=True, slots=True)
class Services:
    engine: Engine
    authenticator: Authenticator
    cleaner: Cleaner
    settler: Settler
    catalogue: CurrentCatalogue
    usage: UsageRecorder
    clock: Clock
