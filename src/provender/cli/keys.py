"""`provender keys` and `provender applications`: who may use the service."""

import os
from functools import partial

import click

from provender.cli.options import on_storage, print_table, storage_options
from provender.model.access import Scope
from provender.model.times import utc_now
from provender.services import access
from provender.settings import Settings
from provender.storage.access import list_applications, list_keys


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
@storage_options
def create_key(application: str, scope: str, **options: str | None) -> None:
    """Make an API key and print it, alone, on standard output. It is shown this once and works at once."""
    settings = Settings.load(os.environ, **options)
    access.check_application_name(application)
    made = partial(access.create_key, application_name=application, scope=Scope(scope), now=utc_now())
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
            f"{key.created_at:%Y-%m-%d}",
            f"{key.last_used_on or 'never'}",
            f"{key.revoked_at:%Y-%m-%d}" if key.revoked_at else "",
        )
        for key in found
    ]
    print_table(("PREFIX", "APPLICATION", "SCOPE", "CREATED", "LAST USED", "REVOKED"), rows)


@keys.command("revoke")
@click.argument("key_prefix")
@storage_options
def revoke_key(key_prefix: str, **options: str | None) -> None:
    """Revoke the key that begins with KEY_PREFIX. Running servers refuse it within 5 seconds."""
    settings = Settings.load(os.environ, **options)
    revoked = on_storage(settings, lambda engine: access.revoke_key(engine, key_prefix, utc_now()))
    click.echo(f"Revoked {revoked.prefix}… of {revoked.application_name}.")


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
