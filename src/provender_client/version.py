"""Which version of the client this is; it has its own, since a client outlives many servers."""

__version__ = "0.1.0"
