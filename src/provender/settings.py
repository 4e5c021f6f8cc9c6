"""What an operator can set, read once from the environment into one frozen value.

Each field's metadata holds what the reference page and `--help` say about it.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from provender.model.access import LARGEST_LIMIT
from provender.model.errors import ProvenderError

PREFIX = "PROVENDER_"

# In the place of origins: every web page.
ANY_ORIGIN = "*"
# As browsers write it: lower case, no path, no slash at the end.
_ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")


class InvalidSetting(ProvenderError):
    code = "invalid_setting"
    title = "A setting is not right"
    advice = "Correct the environment variable or the option that `detail` names, then start again."


def _whole_number(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and low <= int(text) <= high):
            raise ValueError(f"a whole number from {low} to {high}")
        return int(text)

    return read


def _database_url(text: str) -> str:
    if not text.startswith(("postgresql://", "postgres://")):
        raise ValueError("an address that begins with postgresql://")
    return text


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(origin.strip() for origin in text.split(","))
    if origins != (ANY_ORIGIN,) and not all(map(_ORIGIN.fullmatch, origins)):
        raise ValueError(
            "* or origins such as https://app.example, separated by commas, without a path or a last slash"
        )
    return origins


def _setting(doc: str, read: Callable[[str], Any], default: Any) -> Any:
    return field(default=default, metadata={"doc": doc, "read": read})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    host: str = _setting("The address to listen on; 0.0.0.0 for every network interface.", str, "127.0.0.1")
    port: int = _setting("The port to listen on.", _whole_number(1, 65535), 8000)
    data_dir: Path = _setting(  # noqa: RUF009 - It is dataclasses.field, with our metadata.
        "The folder for everything that is kept in files. It is made if it is missing.",
        Path,
        Path("provender-data"),
    )
    workers: int = _setting("How many server processes to run; one for each core is plenty.", _whole_number(1, 64), 1)
    database_url: str | None = _setting(
        "Where PostgreSQL is: postgresql://USER:PASSWORD@HOST/DATABASE, or postgresql:///DATABASE?host=SOCKET_FOLDER. "
        "HOST may be a primary and its standbys, with commas between them. "
        "Without it, profile data and keys are kept in SQLite in the data folder.",
        _database_url,
        None,
    )
    database_connections: int = _setting(
        "How many PostgreSQL connections each worker may hold.", _whole_number(1, 1000), 10
    )
    metrics_port: int | None = _setting(
        "The port for Prometheus to read metrics from, at /metrics. Without it there is none.",
        _whole_number(1, 65535),
        None,
    )
    metrics_host: str = _setting("The address that the metrics' port is on.", str, "127.0.0.1")
    import_max_mib: int = _setting(
        "How large the document of a profile's import may be, in MiB.", _whole_number(1, 65536), 256
    )
    rate_limit: int | None = _setting(
        "How many requests a minute each key may send that has no limit of its own. Without it there is no limit.",
        _whole_number(1, LARGEST_LIMIT),
        None,
    )
    client_timeout_s: int = _setting(
        "How many seconds a caller may let the server wait for a request, or for taking an answer.",
        _whole_number(1, 3600),
        30,
    )
    cors_origins: tuple[str, ...] | None = _setting(
        "The origins of web pages that may read answers, separated by commas, or * for all. Without it none may.",
        _origins,
        None,
    )

    @classmethod
    def load(cls, environment: Mapping[str, str], **options: str | None) -> "Settings":
        """The settings, from the command line's options first, then from the environment."""
        values = {}
        for setting in fields(cls):
            option = options.get(setting.name)
            name = f"--{setting.name.replace('_', '-')}" if option is not None else variable(setting.name)
            text = option if option is not None else environment.get(variable(setting.name))
            if not text:
                continue
            try:
                values[setting.name] = setting.metadata["read"](text)
            except ValueError as error:
                # An address may hold a password, and what is printed may be kept.
                what = "" if setting.name == "database_url" else f", not {text!r}"
                raise InvalidSetting(f"{name} must be {error}{what}.") from None
        return cls(**values)


def variable(name: str) -> str:
    return PREFIX + name.upper()


def doc(name: str) -> str:
    return next(str(setting.metadata["doc"]) for setting in fields(Settings) if setting.name == name)
