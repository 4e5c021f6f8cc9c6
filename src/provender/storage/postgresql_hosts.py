"""Several PostgreSQL servers in one address: which of them a connection goes to.

Writes, and reads as long as that is possible, go to the primary. A pool for reads alone takes any server that answers,
for the time in which there is no primary. Nothing here decides which server the primary is; they say so themselves.
"""

import asyncio
import contextlib
import logging
import re
import socket
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg

from provender.model.errors import StorageUnavailable

_log = logging.getLogger(__name__)

_DEFAULT_PORT = 5432

# An IPv6 address is in brackets, and the folder of a Unix socket has no port beside it.
_HOST = re.compile(r"(?:\[(?P<v6>[^\]]+)\]|(?P<folder>/.*)|(?P<name>[^:\[\]/]+))(?::(?P<port>\d+))?")

# All servers are tried within this. It is less than a request waits for a connection, so whoever waits learns why.
_TRY_ALL_WITHIN_S = 4.0

# While there is no primary, one task looks for it so often, and requests do not wait for it.
_LOOK_AGAIN_S = 0.25

# A connection is given up when what was sent is not received for 5 s, or nothing at all is heard for 3 s and then three
# times in a row.
_SILENCE = {"TCP_USER_TIMEOUT": 5000, "TCP_KEEPIDLE": 3, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 3}

_ONLY_PRIMARY = ("read-write", "primary")

# Whatever a server says instead of taking a connection: the next one may take it.
_NOT_THIS_ONE = (OSError, asyncpg.PostgresError, asyncpg.InternalClientError)


class NoPrimary(asyncpg.InternalClientError):
    """None of the servers is the primary now."""


class Hosts:
    """The servers of an address that names more than one."""

    def __init__(self, url: str, addresses: list[tuple[str, int]], *, standby_reads: bool) -> None:
        self._url = url
        self.addresses = addresses
        self.standby_reads = standby_reads
        self._search: asyncio.Task[None] | None = None

    async def connect_primary(self, *_: Any, **options: Any) -> Any:
        """A connection to the primary. While it is being looked for there is none, at once."""
        if self._search is not None:
            raise NoPrimary("there is no primary among the servers of PROVENDER_DATABASE_URL")
        try:
            return await self._connect("read-write", options)
        except asyncpg.InsufficientResourcesError:
            # It is there, and has too many connections already.
            raise
        except _NOT_THIS_ONE as error:
            cause = str(error).rstrip(".") or type(error).__name__
            if self._search is None:
                _log.warning("there is no primary, and it is looked for: %s", cause)
                self._search = asyncio.create_task(self._look_for_primary(options))
            raise NoPrimary(f"there is no primary among the servers of PROVENDER_DATABASE_URL: {cause}") from error

    async def connect_once(self, **options: Any) -> Any:
        """A connection to the primary for whoever does without it where there is none."""
        return await self._connect("read-write", options)

    async def connect_any(self, *_: Any, **options: Any) -> Any:
        """A connection to some server that can be read from."""
        return await self._connect("any", options)

    async def close(self) -> None:
        if self._search is not None:
            self._search.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._search

    async def _connect(self, attributes: str, options: dict[str, Any]) -> Any:
        """The first server that takes the connection. It is asked first the next time."""
        told: Exception | None = None
        own = {**options, "timeout": _TRY_ALL_WITHIN_S / len(self.addresses), "target_session_attrs": attributes}
        # The first is the primary, as far as is known. Whoever takes any server has not got that one.
        order = self.addresses[::-1] if attributes == "any" else list(self.addresses)
        for address in order:
            host, port = address
            try:
                connection = await asyncpg.connect(self._url, host=host, port=port, **own)
            except _NOT_THIS_ONE as error:
                # That a server is a standby says less than that another cannot be reached.
                if told is None or isinstance(told, asyncpg.TargetServerAttributeNotMatched):
                    told = error
                continue
            _notice_silence(connection)
            if attributes != "any" and self.addresses[0] != address:
                self.addresses.sort(key=lambda each: each != address)
            return connection
        raise told or OSError("the address names no server")

    async def _look_for_primary(self, options: dict[str, Any]) -> None:
        while True:
            await asyncio.sleep(_LOOK_AGAIN_S)
            try:
                connection = await self._connect("read-write", options)
            except Exception:  # noqa: BLE001, S112 - Whatever it is, nobody else looks for the primary.
                continue
            connection.terminate()
            _log.warning("there is a primary again")
            self._search = None
            return


def _notice_silence(connection: Any) -> None:
    """A machine that has lost its power does not say so: the kernel is to find out, within seconds and not minutes."""
    found = connection._transport.get_extra_info("socket")  # noqa: SLF001 - The driver has no other way to it.
    if found is None or found.family == socket.AF_UNIX:
        return
    found.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _SILENCE.items():
        # Not every system has all of them.
        if (option := getattr(socket, name, None)) is not None:
            found.setsockopt(socket.IPPROTO_TCP, option, value)


def find_hosts(url: str) -> Hosts | None:
    """The servers of an address that names more than one. An address that cannot be read is a ValueError."""
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    named = unquote(parts.netloc.rpartition("@")[2]) or query.get("host", [""])[-1]
    hosts = named.split(",")
    if len(hosts) < 2:
        return None
    ports = query.get("port", [""])[-1].split(",")
    if len(ports) not in (1, len(hosts)):
        raise ValueError("as many ports as hosts, or one")
    if len(ports) == 1:
        ports *= len(hosts)
    attributes = query.get("target_session_attrs", [None])[-1]
    if attributes not in (None, *_ONLY_PRIMARY):
        raise StorageUnavailable(
            "The database cannot be used: of several servers Provender writes to the primary. Leave "
            "target_session_attrs out of PROVENDER_DATABASE_URL, or make it read-write to read from it alone too."
        )
    addresses = [_address(host, port) for host, port in zip(hosts, ports, strict=True)]
    return Hosts(url, addresses, standby_reads=attributes is None)


def _address(host: str, port: str) -> tuple[str, int]:
    match = _HOST.fullmatch(host)
    if match is None:
        raise ValueError("a host")
    name = match["v6"] or match["folder"] or match["name"]
    return name, int(match["port"] or port or _DEFAULT_PORT)
