"""`provender keys` and `provender applications`: who may use the service."""

import os
import re
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import click

from provender.cli.options import on_storage, print_table, storage_options
from provender.model.access import LARGEST_LIMIT, NO_LIMIT, ApiKey, Scope
from provender.model.times import utc_now
from provender.services import access
from provender.settings import Settings
from provender.storage.access import list_applications, list_keys

_SPAN = re.compile(r"([0-9]{1,8})([smhd])|0")
_UNITS = {unit: timedelta(seconds=seconds) for unit, seconds in (("s", 1), ("m", 60), ("h", 3600), ("d", 86400))}
_LONGEST_OVERLAP = timedelta(days=366)


class RateLimit(click.ParamType[int | None]):
    """Requests a minute; `none` for any number, and `default` for what the setting says, which is None."""

    name = "rate limit"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        if value in _LIMITS_BY_NAME:
            return _LIMITS_BY_NAME[value]
        if not (value.isascii() and value.isdecimal() and 1 <= int(value) <= LARGEST_LIMIT):
            self.fail(f"{value!r} is not a whole number from 1 to {LARGEST_LIMIT}, none or default.", param, ctx)
        return int(value)


_LIMITS_BY_NAME: dict[str, int | None] = {"none": NO_LIMIT, "default": None}


def _shown_limit(rate_limit: int | None) -> str:
    return next((name for name, limit in _LIMITS_BY_NAME.items() if limit == rate_limit), f"{rate_limit}")


@click.group()
def keys() -> None:
    """Make, list, rotate and revoke API keys."""


@keys.command("create")
@click.option("--application", required=True, metavar="NAME", help="Whose key it is; made if it is missing.")
@click.option(
    "--scope",
    type=click.Choice([scope.value for scope in Scope]),
    default=Scope.WRITE.value,
    show_default=True,
    help="What the key may do; admin may also manage its application's keys.",
)
@click.option(
    "--rate-limit",
    type=RateLimit(),
    metavar="N|none|default",
    help="How many requests a minute it may send, instead of what PROVENDER_RATE_LIMIT says.",
)
@storage_options
def create_key(application: str, scope: str, rate_limit: int | None, **options: str | None) -> None:
    """Make an API key and print it, alone, on standard output. It is shown this once and works at once."""
    settings = Settings.load(os.environ, **options)
    access.check_application_name(application)
    made = partial(
        access.create_key, application_name=application, scope=Scope(scope), now=utc_now(), rate_limit=rate_limit
    )
    click.echo(on_storage(settings, made, create=True))


@keys.command("list")
@storage_options
def show_keys(**options: str | None) -> None:
    """List all keys by their prefixes; the keys themselves are kept nowhere."""
    found = on_storage(Settings.load(os.environ, **options), list_keys)
    now = utc_now()
    rows = [
        (
            key.prefix,
            key.application_name,
            key.scope.value,
            _shown_limit(key.rate_limit),
            f"{key.created_at:%Y-%m-%d}",
            f"{key.last_used_on or 'never'}",
            _ending(key, now),
        )
        for key in found
    ]
    print_table(("PREFIX", "APPLICATION", "SCOPE", "LIMIT", "CREATED", "LAST USED", "REVOKED"), rows)


def _ending(key: ApiKey, now: datetime) -> str:
    if key.revoked_at is None:
        return ""
    return f"until {key.revoked_at:%Y-%m-%d %H:%M} UTC" if key.works(now) else f"{key.revoked_at:%Y-%m-%d}"


def _read_overlap(_context: click.Context, _parameter: click.Parameter, text: str) -> timedelta:
    read = _SPAN.fullmatch(text)
    if read is None:
        raise click.BadParameter("give a number with s, m, h or d, as in 12h or 7d, or 0.")
    overlap = int(read[1]) * _UNITS[read[2]] if read[2] else timedelta()
    if overlap > _LONGEST_OVERLAP:
        raise click.BadParameter(f"{_LONGEST_OVERLAP.days}d is the most.")
    return overlap


@keys.command("rotate")
@click.argument("key_prefix")
@click.option(
    "--overlap",
    callback=_read_overlap,
    default="24h",
    show_default=True,
    metavar="TIME",
    help="How long the old key still works: a number with s, m, h or d, as in 7d; 0 ends it at once.",
)
@storage_options
def rotate_key(key_prefix: str, overlap: timedelta, **options: str | None) -> None:
    """Replace the key that begins with KEY_PREFIX.

    The new key is of the same application and scope, and is printed, alone, on standard output. It is shown this once
    and works at once. Until when the old one works is said on standard error.
    """
    settings = Settings.load(os.environ, **options)
    now = utc_now()
    key, old = on_storage(settings, lambda engine: access.rotate_key(engine, key_prefix, overlap, now))
    click.echo(key)
    until = f"works until {old.revoked_at:%Y-%m-%d %H:%M:%S} UTC" if old.works(now) else "is revoked"
    click.echo(f"{old.prefix}… of {old.application_name} {until}.", err=True)


@keys.command("revoke")
@click.argument("key_prefix")
@storage_options
def revoke_key(key_prefix: str, **options: str | None) -> None:
    """Revoke the key that begins with KEY_PREFIX. Running servers refuse it within 5 seconds."""
    settings = Settings.load(os.environ, **options)
    revoked = on_storage(settings, lambda engine: access.revoke_key(engine, key_prefix, utc_now()))
    click.echo(f"Revoked {revoked.prefix}… of {revoked.application_name}.")


@keys.command("limit")
@click.argument("key_prefix")
@click.argument("rate_limit", type=RateLimit(), metavar="N|none|default")
@storage_options
def limit_key(key_prefix: str, rate_limit: int | None, **options: str | None) -> None:
    """Let the key that begins with KEY_PREFIX send N requests a minute: any number with none, as many as
    PROVENDER_RATE_LIMIT says with default. Running servers know within 5 seconds."""
    settings = Settings.load(os.environ, **options)
    limited = on_storage(settings, lambda engine: access.limit_key(engine, key_prefix, rate_limit, utc_now()))
    click.echo(f"The limit of {limited.prefix}… of {limited.application_name} is {_shown_limit(rate_limit)}.")


@click.group()
def applications() -> None:
    """Look at the applications that use this service."""


@applications.command("list")
@storage_options
def show_applications(**options: str | None) -> None:
    """List all applications. `provender keys create --application NAME` makes a new one."""
    found = on_storage(Settings.load(os.environ, **options), list_applications)
    print_table(
        ("NAME", "CREATED"),
        [(application.name, f"{application.created_at:%Y-%m-%d}") for application in found],
    )
