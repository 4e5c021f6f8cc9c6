"""What the commands share: options that settings stand behind, storage to work on, and refusals in one line."""

import asyncio
import inspect
import sys
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import click

from provender.model.errors import ProvenderError
from provender.settings import Settings, doc, variable
from provender.storage.engine import Engine
from provender.storage.opening import open_engine

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


class Refusal(click.ClickException):
    """One line on standard error and exit code 1."""

    def show(self, file: Any = None) -> None:
        click.echo(f"provender: {self.format_message()}", file=file or sys.stderr)


class Commands(click.Group):
    """Shows the product's own errors as one line, without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ProvenderError as error:
            raise Refusal(error.detail) from error


def setting_option(name: str, metavar: str) -> Callable[[F], F]:
    """An option that a setting of the same name stands behind; the setting reads and checks the value."""
    default = getattr(Settings(), name)
    text = f"{doc(name)}  [env: {variable(name)}; default: {'not set' if default is None else default}]"
    return click.option(f"--{name.replace('_', '-')}", name, metavar=metavar, help=text)


data_dir_option = setting_option("data_dir", "FOLDER")

_DATABASE = f"\n\n{variable('database_url')} names a PostgreSQL database that is used instead of the data folder."


def storage_options(command: F) -> F:
    """What every command takes that works on profile data or keys."""
    command.__doc__ = f"{inspect.cleandoc(command.__doc__ or '')}{_DATABASE}"
    return data_dir_option(command)


def on_storage(settings: Settings, work: Callable[[Engine], Awaitable[T]], *, create: bool = False) -> T:
    async def run() -> T:
        engine = await open_engine(settings, create=create)
        try:
            await engine.migrate()
            return await work(engine)
        finally:
            await engine.close()

    return asyncio.run(run())
