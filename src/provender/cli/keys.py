"""`provender keys` and `provender applications`: who may use the service."""

import os
import re
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import click

from provender.cli.completion import complete_application, complete_key
from provender.cli.options import on_storage, storage_options
from provender.cli.output import Cell, as_day, as_ms, json_option, moment, print_document, print_table, state
from provender.model.access import LARGEST_LIMIT, NO_LIMIT, PREFIX_LENGTH, ApiKey, Scope
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
@click.option(
    "--application",
    required=True,
    metavar="NAME",
    shell_complete=complete_application,
    help="Whose key it is; made if it is missing.",
)
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
@json_option
@storage_options
def create_key(application: str, scope: str, rate_limit: int | None, as_json: bool, **options: str | None) -> None:
    """Make an API key and print it, alone, on standard output. It is shown this once and works at once."""
    settings = Settings.load(os.environ, **options)
    access.check_application_name(application)
    made = partial(
        access.create_key, application_name=application, scope=Scope(scope), now=utc_now(), rate_limit=rate_limit
    )
    key = on_storage(settings, made, create=True)
    if as_json:
        said = {"application": application, "scope": scope, "rate_limit": rate_limit}
        print_document({**_created(key), **said})
    else:
        click.echo(key)


def _created(key: str) -> dict[str, object]:
    return {"_id": key[:PREFIX_LENGTH], "key": key, "created": True}


@keys.command("list")
@json_option
@storage_options
def show_keys(as_json: bool, **options: str | None) -> None:
    """List all keys by their prefixes; the keys themselves are kept nowhere."""
    found = on_storage(Settings.load(os.environ, **options), list_keys)
    now = utc_now()
    if as_json:
        print_document({"data": [_document(key, now) for key in found]})
        return
    rows = [
        (
            key.prefix,
            key.application_name,
            key.scope.value,
            _shown_limit(key.rate_limit),
            moment(key.created_at),
            f"{key.last_used_on or 'never'}",
            _ending(key, now),
        )
        for key in found
    ]
    head = ("PREFIX", "APPLICATION", "SCOPE", "LIMIT", "CREATED", "LAST USED", Cell("REVOKED", "STATE"))
    print_table(head, rows)


def _document(key: ApiKey, now: datetime) -> dict[str, object]:
    """As `GET /v1/keys` has it, and whose key it is."""
    return {
        "_id": key.prefix,
        "application": key.application_name,
        "scope": key.scope.value,
        "created_at": as_ms(key.created_at),
        "last_used_on": as_day(key.last_used_on),
        "revoked_at": as_ms(key.revoked_at),
        "rate_limit": key.rate_limit,
        "works": key.works(now),
    }


def _ending(key: ApiKey, now: datetime) -> Cell:
    if key.revoked_at is None:
        return state("", "works", "green")
    if key.works(now):
        until = f"until {key.revoked_at:%Y-%m-%d %H:%M} UTC"
        return state(until, f"works {until}", "yellow")
    return state(f"{key.revoked_at:%Y-%m-%d}", f"revoked {key.revoked_at:%Y-%m-%d}", "red")


def _read_overlap(_context: click.Context, _parameter: click.Parameter, text: str) -> timedelta:
    read = _SPAN.fullmatch(text)
    if read is None:
        raise click.BadParameter("give a number with s, m, h or d, as in 12h or 7d, or 0.")
    overlap = int(read[1]) * _UNITS[read[2]] if read[2] else timedelta()
    if overlap > _LONGEST_OVERLAP:
        raise click.BadParameter(f"{_LONGEST_OVERLAP.days}d is the most.")
    return overlap


@keys.command("rotate")
@click.argument("key_prefix", shell_complete=complete_key)
@click.option(
    "--overlap",
    callback=_read_overlap,
    default="24h",
    show_default=True,
    metavar="TIME",
    help="How long the old key still works: a number with s, m, h or d, as in 7d; 0 ends it at once.",
)
@json_option
@storage_options
def rotate_key(key_prefix: str, overlap: timedelta, as_json: bool, **options: str | None) -> None:
    """Replace the key that begins with KEY_PREFIX.

    The new key is of the same application and scope, and is printed, alone, on standard output. It is shown this once
    and works at once. Until when the old one works is said on standard error.
    """
    settings = Settings.load(os.environ, **options)
    now = utc_now()
    key, old = on_storage(settings, lambda engine: access.rotate_key(engine, key_prefix, overlap, now))
    if as_json:
        print_document({**_created(key), "application": old.application_name, "replaces": _document(old, now)})
        return
    click.echo(key)
    until = f"works until {old.revoked_at:%Y-%m-%d %H:%M:%S} UTC" if old.works(now) else "is revoked"
    click.echo(f"{old.prefix}… of {old.application_name} {until}.", err=True)


@keys.command("revoke")
@click.argument("key_prefix", shell_complete=complete_key)
@json_option
@storage_options
def revoke_key(key_prefix: str, as_json: bool, **options: str | None) -> None:
    """Revoke the key that begins with KEY_PREFIX. Running servers refuse it within 5 seconds."""
    settings = Settings.load(os.environ, **options)
    revoked = on_storage(settings, lambda engine: access.revoke_key(engine, key_prefix, utc_now()))
    if as_json:
        print_document({"_id": revoked.prefix, "application": revoked.application_name, "deleted": True})
        return
    click.echo(f"Revoked {revoked.prefix}… of {revoked.application_name}.")


@keys.command("limit")
@click.argument("key_prefix", shell_complete=complete_key)
@click.argument("rate_limit", type=RateLimit(), metavar="N|none|default")
@json_option
@storage_options
def limit_key(key_prefix: str, rate_limit: int | None, as_json: bool, **options: str | None) -> None:
    """Let the key that begins with KEY_PREFIX send N requests a minute: any number with none, as many as
    PROVENDER_RATE_LIMIT says with default. Running servers know within 5 seconds."""
    settings = Settings.load(os.environ, **options)
    limited = on_storage(settings, lambda engine: access.limit_key(engine, key_prefix, rate_limit, utc_now()))
    if as_json:
        said = {"_id": limited.prefix, "application": limited.application_name, "rate_limit": rate_limit}
        print_document(said)
        return
    click.echo(f"The limit of {limited.prefix}… of {limited.application_name} is {_shown_limit(rate_limit)}.")


@click.group()
def applications() -> None:
    """Look at the applications that use this service."""


@applications.command("list")
@json_option
@storage_options
def show_applications(as_json: bool, **options: str | None) -> None:
    """List all applications. `provender keys create --application NAME` makes a new one."""
    found = on_storage(Settings.load(os.environ, **options), list_applications)
    if as_json:
        print_document({"data": [{"name": each.name, "created_at": as_ms(each.created_at)} for each in found]})
        return
    print_table(("NAME", "CREATED"), [(application.name, moment(application.created_at)) for application in found])
