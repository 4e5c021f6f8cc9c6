"""What the commands share: options that settings stand behind, storage to work on, and refusals in one line."""

import asyncio
import contextlib
import inspect
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

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


def unusable_folder(data_dir: Path, error: OSError) -> Refusal:
    ways = f"--data-dir or {variable('data_dir')}"
    return Refusal(
        f"The data folder {data_dir} cannot be used: {error}. Name another with {ways}, or put this one right."
    )


class Misuse(Refusal):
    """The same for a command line that is wrong."""

    exit_code = 2


class Stopped(Refusal):
    """The same for Ctrl-C, with the exit code that shells have for it."""

    exit_code = 128 + signal.SIGINT


@contextlib.contextmanager
def stoppable(what: str) -> Iterator[None]:
    """Says what Ctrl-C has left behind."""
    try:
        yield
    except KeyboardInterrupt:
        raise Stopped(f"stopped. {what}") from None


class Commands(click.Group):
    """Shows the product's own errors, click's and the system's as one line, without usage or traceback."""

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with _misuse_in_one_line():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _misuse_in_one_line():
                return super().invoke(ctx)
        except ProvenderError as error:
            raise Refusal(error.detail) from error
        except KeyboardInterrupt:
            raise Stopped("stopped.") from None

    def main(self, *arguments: Any, **options: Any) -> Any:
        # Here, and not above: also what help prints may find the disk full.
        try:
            return super().main(*arguments, **options)
        except OSError as error:
            _give_up_output()
            refusal = Refusal(f"the system refuses to go on: {error}. Look at the disk, and where the output goes.")
            refusal.show()
            sys.exit(refusal.exit_code)


@contextlib.contextmanager
def _misuse_in_one_line() -> Iterator[None]:
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        # Choices stand in lines of their own, and not every sentence has an end.
        message = " ".join(error.format_message().split())
        message += "" if message.endswith((".", "?", "?)")) else "."
        path = error.ctx.command_path if error.ctx else "provender"
        raise Misuse(f"{message} `{path} --help` says more.") from error


def _give_up_output() -> None:
    """Let what cannot be printed go, or Python would try once more at the end and complain."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def setting_option(name: str, metavar: str) -> Callable[[F], F]:
    """An option that a setting of the same name stands behind; the setting reads and checks the value."""
    default = getattr(Settings(), name)
    text = f"{doc(name)}  [env: {variable(name)}; default: {'not set' if default is None else default}]"
    complete = complete_folder if metavar == "FOLDER" else None
    return click.option(f"--{name.replace('_', '-')}", name, metavar=metavar, help=text, shell_complete=complete)


def complete_folder(_context: click.Context, _parameter: click.Parameter, _begun: str) -> list[CompletionItem]:
    """The shell knows them better."""
    return [CompletionItem("", type="dir")]


def complete_file(_context: click.Context, _parameter: click.Parameter, _begun: str) -> list[CompletionItem]:
    return [CompletionItem("", type="file")]


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
