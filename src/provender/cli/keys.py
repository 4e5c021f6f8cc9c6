"""`provender keys` and `provender applications`: who may use the service."""

import os
from functools import partial
from typing import Any

import click

from provender.cli.options import on_storage, print_table, storage_options
from provender.model.access import LARGEST_LIMIT, NO_LIMIT, Scope
from provender.model.times import utc_now
from provender.services import access
from provender.settings import Settings
from provender.storage.access import list_applications, list_keys


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
    """Make, list and revoke API keys."""


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
    rows = [
        (
            key.prefix,
            key.application_name,
            key.scope.value,
            _shown_limit(key.rate_limit),
            f"{key.created_at:%Y-%m-%d}",
            f"{key.last_used_on or 'never'}",
            f"{key.revoked_at:%Y-%m-%d}" if key.revoked_at else "",
        )
        for key in found
    ]
    print_table(("PREFIX", "APPLICATION", "SCOPE", "LIMIT", "CREATED", "LAST USED", "REVOKED"), rows)


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
    limited = on_storage(settings, lambda engine: access.limit_key(engine, key_prefix, rate_limit))
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
