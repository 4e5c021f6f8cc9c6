"""Contract tests of the project itself: what its documents say is all there, and true of the code."""

import os
import re
import shutil
import subprocess
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

import click
import pytest

from provender import __version__
from provender.api.app import LAYOUT, ROUTES
from provender.api.errors import public_errors, status_of
from provender.api.routing import OpenRoute, Route
from provender.catalogue.folder import CatalogueFolder
from provender.cli import main
from provender.cli.figures import Figures
from provender.metrics.sheet import take_sheet
from provender.model.checking import Kind
from provender.model.errors import ProvenderError
from provender.settings import Settings, variable

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]


def _commands(command: click.Command, path: str = "provender") -> dict[str, click.Command]:
    """Every command that does something, by what one types."""
    if not isinstance(command, click.Group):
        return {path: command}
    return {
        name: leaf
        for child in command.commands.values()
        for name, leaf in _commands(child, f"{path} {child.name}").items()
    }


COMMANDS = _commands(main)


def _section(page: str, heading: str) -> str:
    """What stands under a heading, up to the next one of its level."""
    level = heading.split(maxsplit=1)[0]
    _, found, rest = page.partition(f"\n{heading}\n")
    assert found, f"there is no heading {heading!r}"
    return rest.split(f"\n{level} ")[0]


def test_the_readme_has_at_most_120_lines() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 120


@pytest.mark.parametrize("setting", fields(Settings), ids=lambda setting: setting.name)
def test_every_setting_is_documented(setting: Field[Any]) -> None:
    name = variable(setting.name)
    page = (DOCS / "reference-settings.md").read_text()
    [row] = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
    assert (f"`{setting.default}`" if setting.default is not None else "not set") in row
    assert _section(page, f"## `{name}`").strip()


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_is_documented_with_its_options(path: str) -> None:
    section = _section((DOCS / "reference-commands.md").read_text(), f"## `{path}`")
    for parameter in COMMANDS[path].params:
        for name in parameter.opts if isinstance(parameter, click.Option) else [parameter.human_readable_name]:
            assert name in section


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_endpoint_is_documented_with_its_scope(route: Route | OpenRoute) -> None:
    page = (DOCS / "reference-requests.md").read_text()
    [row] = [line for line in page.splitlines() if line.startswith(f"| `{route.method} {route.path}` |")]
    assert row.split(" | ")[1] == (route.scope.value if isinstance(route, Route) else "no key")


@pytest.mark.parametrize("error", public_errors(), ids=lambda error: error.code)
def test_every_error_is_documented_with_its_status(error: type[ProvenderError]) -> None:
    code, status = error.code, int(status_of(error))
    page = (DOCS / "reference-errors.md").read_text()
    assert f"| [`{code}`](#{code}) | {status} |" in page
    assert _section(page, f"### {code}").strip().startswith(str(status))


def test_no_error_is_documented_that_does_not_exist() -> None:
    page = (DOCS / "reference-errors.md").read_text()
    documented = re.findall(r"^\| \[`(\w+)`\]\(#\w+\) \| \d{3} \|", page, re.MULTILINE)
    assert sorted(documented) == sorted(error.code for error in public_errors())


def test_every_kind_of_finding_is_documented_with_what_it_means_and_no_other() -> None:
    section = _section((DOCS / "reference-commands.md").read_text(), "### What a check finds")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \| (yes|no) \|$", section, re.MULTILINE)
    assert rows == [(kind.code, kind.sentence, "yes" if kind.is_derived else "no") for kind in Kind]


def test_every_metric_is_documented_with_its_type_and_labels_and_no_other(
    tmp_path: Path, catalogue_folder: CatalogueFolder
) -> None:
    (tmp_path / "catalogue").symlink_to(catalogue_folder.path)
    sheet = take_sheet(tmp_path, LAYOUT)
    sheet.requests.observe(1, 200, 1)
    exposed: dict[str, tuple[str, str]] = {}
    for url in (None, "postgresql:///provender"):
        figures = Figures(Settings(data_dir=tmp_path, database_url=url), tmp_path, lambda: {sheet.process_id})
        for family in figures.collect():
            name = {"counter": f"{family.name}_total", "info": f"{family.name}_info"}.get(family.type, family.name)
            labels = [f"`{label}`" for label in family.samples[0].labels if label != "le"]
            exposed[name] = (family.type.replace("info", "gauge"), ", ".join(labels) or "none")
    page = (DOCS / "reference-metrics.md").read_text()
    rows = re.findall(r"^\| `(provender_\w+)` \| (\w+) \| ([^|]+) \| \S", page, re.MULTILINE)
    assert {name: (kind, labels) for name, kind, labels in rows} == exposed
    # What the how-to asks for is there, too; behind a `#` it is the name of a setting.
    asked = re.findall(r"(?<!#)provender_\w+", (DOCS / "how-to-watch.md").read_text())
    assert {name.removesuffix("_bucket") for name in asked} <= exposed.keys()


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_within_the_documents_leads_somewhere(page: Path) -> None:
    broken = []
    for link in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", page.read_text()):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            broken.append(link)
    assert broken == []


def test_every_decision_is_in_the_list_of_them_in_its_order() -> None:
    listed = re.findall(r"^\| \[(\d{4})\]\((.+?)\) \|", (DOCS / "decisions" / "README.md").read_text(), re.MULTILINE)
    assert [name for _, name in listed] == sorted(page.name for page in (DOCS / "decisions").glob("0*.md"))
    assert all(name.startswith(number) for number, name in listed)


def test_make_alone_prints_every_target() -> None:
    if shutil.which("make") is None:
        pytest.skip("There is no make on this machine.")
    described = re.findall(r"^([a-z-]+):.*## (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {"setup", "serve", "test", "lint", "lock"} <= {target for target, _ in described}
    # The tests may have been started by make itself, which would pass its own options on.
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    result = subprocess.run(["make"], cwd=ROOT, env=kept, capture_output=True, text=True, timeout=30, check=True)
    lines = [line.strip() for line in result.stdout.splitlines()]
    for target, description in described:
        assert any(line.startswith(f"make {target} ") and line.endswith(description) for line in lines), target


def test_every_target_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    for target in re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE):
        if target != "help":
            assert f"`make {target}`" in readme


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_file_has_a_hash_for_everything_and_no_address(lock: Path) -> None:
    text = lock.read_text()
    for address in ("http://", "https://", "file:", " @ "):
        assert address not in text
    joined = re.sub(r"\s*\\\n\s*", " ", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE))
    requirements = joined.splitlines()
    assert requirements
    for requirement in requirements:
        assert re.match(r"[A-Za-z0-9._-]+(\[[\w,-]+\])?==\S+ ", requirement), requirement
        assert " --hash=sha256:" in requirement, requirement


def test_what_runs_is_locked_at_the_versions_that_are_tested() -> None:
    run, dev = (
        set(re.findall(r"^(\S+==\S+)", (ROOT / "requirements" / name).read_text(), re.MULTILINE))
        for name in ("run.txt", "dev.txt")
    )
    assert run
    assert run <= dev


def test_there_is_no_uv_lock() -> None:
    """It would write a registry's addresses into the repository."""
    visible = [path for path in ROOT.iterdir() if not path.name.startswith(".")]
    assert not [path for path in visible if path.name == "uv.lock"]
    assert not [path for folder in visible if folder.is_dir() for path in folder.rglob("uv.lock")]


def test_the_changelog_knows_this_version_or_what_is_not_released_yet() -> None:
    headings = re.findall(r"^## \[?([^\]\s]+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert "Unreleased" in headings or __version__ in headings
