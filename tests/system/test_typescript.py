"""The OpenAPI document is good enough for others' tools: a TypeScript client made from it compiles and works."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.settings import Settings
from tests.requirement import VARIABLE, require_or_skip
from tests.system.commands import environment
from tests.system.server import Server, serving

SOURCE = Path(__file__).parent.parent / "typescript"
LOCK = SOURCE / "package-lock.json"
DONE_WITHIN_S = 100

# How npm says that it cannot reach a registry. Anything else that it says is our fault.
_UNREACHABLE = re.compile(r"code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ENOTCACHED)\b")


def _run(folder: Path, *command: str, variables: Mapping[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command,
        cwd=folder,
        env=environment() | dict(variables or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=DONE_WITHIN_S,
        check=False,
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with the tools that it is made with, at the versions that are locked."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        require_or_skip("typescript", "node and npm are not on the PATH.")
    folder = tmp_path_factory.mktemp("typescript") / "project"
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("node_modules", "built", "provender.ts"))
    # The way to the registry may lead through a proxy, unlike that to our own server.
    done = _run(folder, npm, "ci", "--prefer-offline", "--fetch-retries=1", variables=os.environ)
    if done.returncode != 0 and _UNREACHABLE.search(done.stdout):
        require_or_skip("typescript", "npm reaches no registry.")
    assert done.returncode == 0, done.stdout
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, catalogue_folder: CatalogueFolder) -> Iterator[Server]:
    data_dir = tmp_path_factory.mktemp("typescript-server") / "data"
    data_dir.mkdir(mode=0o700)
    (data_dir / "catalogue").symlink_to(catalogue_folder.path)
    with serving(Settings(data_dir=data_dir)) as started:
        yield started


def test_a_client_made_from_the_document_compiles_and_works(project: Path, server: Server) -> None:
    tools = project / "node_modules" / ".bin"
    with server.client() as client:
        (project / "openapi.json").write_bytes(client.get("/openapi.json").content)
    for command in (
        (str(tools / "openapi-typescript"), "openapi.json", "--output", "provender.ts"),
        # It writes nothing where a type does not fit.
        (str(tools / "tsc"), "--project", "."),
    ):
        done = _run(project, *command)
        assert done.returncode == 0, done.stdout
    done = _run(project, "node", "built/smoke.js", variables={"PROVENDER_URL": server.url, "PROVENDER_KEY": server.key})
    assert (done.returncode, done.stdout) == (0, "All of it holds.\n")


def test_the_lock_file_has_a_hash_for_everything_and_no_address() -> None:
    text = LOCK.read_text()
    assert "://" not in text, "npm names who asks for donations: take every `funding` out of it"
    assert '"resolved"' not in text
    packages = json.loads(text)["packages"]
    assert packages.pop("")["devDependencies"] == json.loads((SOURCE / "package.json").read_text())["devDependencies"]
    assert len(packages) > 3
    assert all(re.fullmatch(r"sha512-[0-9A-Za-z+/=]{88}", package["integrity"]) for package in packages.values())


def test_what_is_required_is_not_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(pytest.skip.Exception, match="no browser"):
        require_or_skip("browser", "there is no browser.")
    monkeypatch.setenv(VARIABLE, "typescript,browser")
    with pytest.raises(pytest.fail.Exception, match="no browser"):
        require_or_skip("browser", "there is no browser.")
    with pytest.raises(pytest.skip.Exception):
        require_or_skip("node", "there is no node.")
