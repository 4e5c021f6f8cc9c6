"""How many connections a server takes, and how much of a request it reads before it knows what that is."""

import resource

from provender.settings import Settings

# A request's line and headers together. What a worker keeps for a connection is no larger either.
LARGEST_HEAD = 64 * 1024

# Connections that a worker has at once; more wait for one of them to end, so many for each worker.
CONNECTIONS = 1024
BACKLOG = 1024

# Files that a worker has open beside its connections and those to PostgreSQL: databases, catalogues, spools, logs.
_OTHER_FILES = 256


def connections_a_worker(settings: Settings) -> int:
    """As many as a worker may have files for. Granian has raised that to what the system allows at most."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return CONNECTIONS
    return max(1, min(CONNECTIONS, soft - _OTHER_FILES - settings.database_connections))
