"""The command line: `provender` and its commands, a file for each of them or for a few that belong together."""

import click

from provender import __version__
from provender.cli.backup import backup, restore
from provender.cli.catalogue import catalogue, gtin
from provender.cli.check import check
from provender.cli.completion import completion
from provender.cli.copy import copy
from provender.cli.demo import demo
from provender.cli.imports import import_foods
from provender.cli.keys import applications, keys
from provender.cli.options import Commands
from provender.cli.serve import serve


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="provender", message="%(prog)s %(version)s")
def main() -> None:
    """Provender, a self-hosted nutrition API.

    Start with `provender serve`: it prints an API key and a request to try. Profile data and keys are kept in the data
    folder, or in PostgreSQL where PROVENDER_DATABASE_URL names one. Every command can run while a server does.
    """


for command in (
    serve,
    import_foods,
    catalogue,
    gtin,
    keys,
    applications,
    backup,
    restore,
    copy,
    check,
    demo,
    completion,
):
    main.add_command(command)
