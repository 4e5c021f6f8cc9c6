"""`provender completion`: what a shell runs to complete a command line, and what is known of keys and versions then.

Completing looks and changes nothing: storage is read as it is, none is made, and where something is wrong, or takes
longer than anybody waits for a key, there is just nothing to complete.
"""

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class

from provender.catalogue.folder import CatalogueFolder
from provender.services.catalogue import FOLDER
from provender.settings import Settings
from provender.storage.opening import open_source
from provender.storage.tables import read_tables

_NAME = "provender"
_VARIABLE = "_PROVENDER_COMPLETE"

# Nobody wants to wait for a key any longer.
_PATIENCE_S = 1.0

_INSTALL = {
    "bash": "# To install: provender completion bash > ~/.local/share/bash-completion/completions/provender",
    "zsh": "#compdef provender\n# To install, into a folder of $fpath: provender completion zsh > ~/.zfunc/_provender",
    "fish": "# To install: provender completion fish > ~/.config/fish/completions/provender.fish",
}

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


@click.command()
@click.argument("shell", type=click.Choice(list(_INSTALL)), metavar="SHELL")
def completion(shell: str) -> None:
    """Print what SHELL (bash, zsh or fish) needs to complete commands, options, keys, applications and versions.

    The first line says where to put it. To try it in this bash alone: eval "$(provender completion bash)"
    """
    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"{shell} cannot be completed by this release of click.")
    script = made(click.get_current_context().find_root().command, {}, _NAME, _VARIABLE).source()
    click.echo(f"{_INSTALL[shell]}\n{script.removeprefix(f'#compdef {_NAME}').strip()}")


def _silent(find: Callable[[Settings], Iterator[CompletionItem]]) -> Complete:
    def complete(context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
        with suppress(Exception):
            settings = Settings.load(os.environ, data_dir=context.params.get("data_dir"))
            return [item for item in find(settings) if item.value.startswith(begun)]
        return []

    return complete


@_silent
def complete_key(settings: Settings) -> Iterator[CompletionItem]:
    tables = _read(settings, "applications", "api_keys")
    names = {row["id"]: row["name"] for row in tables["applications"]}
    for row in tables["api_keys"]:
        if row["revoked_at"] is None:
            yield CompletionItem(row["prefix"], help=f"{row['scope']} key of {names.get(row['application_id'])}")


@_silent
def complete_application(settings: Settings) -> Iterator[CompletionItem]:
    for row in _read(settings, "applications")["applications"]:
        yield CompletionItem(row["name"])


@_silent
def complete_version(settings: Settings) -> Iterator[CompletionItem]:
    folder = CatalogueFolder(settings.data_dir / FOLDER)
    current = folder.current()
    for version in folder.versions():
        yield CompletionItem(version, help="in use" if version == current else None)


def _read(settings: Settings, *names: str) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """The first rows of some tables, of a storage of whatever schema."""

    async def read() -> dict[str, list[dict[str, Any]]]:
        found = {}
        async with asyncio.timeout(_PATIENCE_S), open_source(settings) as source:
            for table in read_tables(source.schema):
                if table.name in names:
                    rows = await (await source.open(table)).read()
                    found[table.name] = [dict(zip(table.columns, row, strict=True)) for row in rows]
        return found

    return asyncio.run(read())
