"""The command line: `provender` and its commands, a file for each of them or for a few that belong together."""

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Never

import click

from provender import __version__
from provender.cli.options import Commands

_PLACES = {
    "applications": "keys:applications",
    "backup": "backup:backup",
    "catalogue": "catalogue:catalogue",
    "check": "check:check",
    "completion": "completion:completion",
    "copy": "copy:copy",
    "demo": "demo:demo",
    "gtin": "catalogue:gtin",
    "import": "imports:import_foods",
    "keys": "keys:keys",
    "restore": "backup:restore",
    "serve": "serve:serve",
}


class _Loading(MutableMapping[str, click.Command]):
    """The commands by their names. Each is loaded when it is asked for: all of them take longer than most do to run."""

    def __getitem__(self, name: str) -> click.Command:
        module, _, attribute = _PLACES[name].partition(":")
        command: click.Command = getattr(import_module(f"provender.cli.{module}"), attribute)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(_PLACES)

    def __len__(self) -> int:
        return len(_PLACES)

    def __setitem__(self, name: str, command: click.Command) -> Never:
        raise TypeError("A command is added by its place.")

    def __delitem__(self, name: str) -> Never:
        raise TypeError("Commands stay.")


@click.group(
    cls=Commands,
    commands=_Loading(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="provender", message="%(prog)s %(version)s")
def main() -> None:
    """Provender, a self-hosted nutrition API.

    Start with `provender serve`: it prints an API key and a request to try. Profile data and keys are kept in the data
    folder, or in PostgreSQL where PROVENDER_DATABASE_URL names one. Every command can run while a server does.
    """
