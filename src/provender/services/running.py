"""What is open while the application runs."""

from dataclasses import dataclass, field

from provender.model.times import Clock
from provender.services.access import Authenticator
from provender.services.catalogue import CurrentCatalogue
from provender.services.removal import Cleaner
from provender.services.zones import Zones
from provender.storage.engine import Engine


@dataclass(frozen=True, slots=True)
class Services:
    engine: Engine
    authenticator: Authenticator
    cleaner: Cleaner
    catalogue: CurrentCatalogue
    clock: Clock
    zones: Zones = field(default_factory=Zones)
