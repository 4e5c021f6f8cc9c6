"""Every method of the client by what one types, such as `foods.search`."""

from provender_client import Client
from provender_client.endpoints import Declared, Resource

# Endpoints that are being built. Whoever merges one takes its line away, and gives it a scenario.
NOT_YET_SERVED = {"catalogue.retrieve", "foods.provenance", "keys.create", "keys.list", "keys.revoke", "usage.retrieve"}

DECLARED = {
    f"{noun}.{verb}": declared
    for noun, resource in vars(Client("pv_none")).items()
    if isinstance(resource, Resource)
    for verb, declared in vars(type(resource)).items()
    if isinstance(declared, Declared)
}
