"""The page of commands has every command with all its options and their defaults, and no other."""

import re
from dataclasses import fields
from pathlib import Path

import click
import pytest

from provender.settings import Settings
from tests.test_project import COMMANDS, DOCS

PAGE = (DOCS / "reference-commands.md").read_text()
SETTINGS = {setting.name: setting.default for setting in fields(Settings)}


def _section(path: str) -> str:
    return PAGE.partition(f"\n## `{path}`\n")[2].partition("\n## ")[0]


def _options(path: str) -> dict[str, click.Option]:
    return {option.opts[-1]: option for option in COMMANDS[path].params if isinstance(option, click.Option)}


def _default(option: click.Option) -> str | None:
    """What stands in the column of defaults; None where the page has a word of its own for it."""
    if option.required:
        return "required"
    if option.is_flag:
        return "off"
    default = option.to_info_dict()["default"] or SETTINGS.get(str(option.name))
    return f"`{default}`" if isinstance(default, str | int | Path) else None


def test_the_page_has_these_commands_and_no_others() -> None:
    assert sorted(re.findall(r"^## `(provender .+)`$", PAGE, re.MULTILINE)) == sorted(COMMANDS)


@pytest.mark.parametrize("path", COMMANDS)
def test_the_usage_of_a_command_has_all_its_options_and_no_other(path: str) -> None:
    usage = _section(path).strip("\n").partition("\n\n")[0]
    assert usage.startswith(f"    {path}")
    assert set(re.findall(r"--[a-z-]+", usage)) == _options(path).keys()
    for option in _options(path).values():
        # What may be left out stands in brackets.
        assert (f"[{option.opts[-1]}" in usage) is not option.required


@pytest.mark.parametrize("path", COMMANDS)
def test_the_table_of_a_command_has_the_defaults_of_its_options(path: str) -> None:
    rows = re.findall(r"^\| `(--[a-z-]+)[^|]*` \| ([^|]+) \| [^|]+ \|$", _section(path), re.MULTILINE)
    options = _options(path)
    for name, default in rows:
        assert default == (_default(options[name]) or default), name
    # Where there is a table of options, it has all of them.
    assert not rows or [name for name, _ in rows] == list(options)
