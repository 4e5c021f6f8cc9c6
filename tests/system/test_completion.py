"""`provender completion`, in a real bash; what is completed, and that completing leaves no trace."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from provender.catalogue.folder import CatalogueFolder
from provender.cli import main
from provender.model.access import PREFIX_LENGTH
from provender.settings import Settings
from tests.system.commands import call, environment, printed

pytestmark = pytest.mark.usefixtures("anyio_backend")

# What is typed so far is one argument, with a space between the words.
_ASK = """
eval "$(provender completion bash)"
for line in "$@"; do
    COMP_WORDS=($line) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    _provender_completion provender
    echo "${COMPREPLY[*]}"
done
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_commands_and_keys(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    program = tmp_path / "bin" / "provender"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m provender "$@"\n')
    program.chmod(0o700)
    key = printed(call("keys", "create", "--application", "acme", settings=settings)).strip()
    variables = environment(settings)
    variables["PATH"] = f"{program.parent}:{variables['PATH']}"

    typed = ("provender appl", "provender keys revoke pv")
    done = subprocess.run(
        ["bash", "-c", _ASK, "bash", *typed], env=variables, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["applications", key[:PREFIX_LENGTH]]


def _complete(settings: Settings, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    monkeypatch.setenv("PROVENDER_DATA_DIR", str(settings.data_dir))
    if settings.database_url is not None:
        monkeypatch.setenv("PROVENDER_DATABASE_URL", settings.database_url)
    complete = BashComplete(main, {}, "provender", "_PROVENDER_COMPLETE")
    return [item.value for item in complete.get_completions(list(words[:-1]), words[-1])]


def test_keys_applications_and_versions_are_completed(
    settings: Settings, catalogue_folder: CatalogueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (
        printed(call("keys", "create", "--application", name, settings=settings)).strip()[:PREFIX_LENGTH]
        for name in ("acme", "globex")
    )
    printed(call("keys", "revoke", second, settings=settings))
    for command in ("revoke", "rotate", "limit"):
        assert _complete(settings, monkeypatch, "keys", command, "pv_") == [first]
    assert _complete(settings, monkeypatch, "keys", "create", "--application", "") == ["acme", "globex"]
    assert _complete(settings, monkeypatch, "check", "--application", "g") == ["globex"]
    assert _complete(settings, monkeypatch, "catalogue", "use", "") == catalogue_folder.versions()
    assert _complete(settings, monkeypatch, "import", "o") == ["off"]


def test_completing_makes_no_storage_and_no_noise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Settings(data_dir=tmp_path / "missing")
    damaged = Settings(data_dir=tmp_path / "damaged")
    damaged.data_dir.mkdir()
    (damaged.data_dir / "provender.db").write_bytes(b"no database at all" * 100)
    away = Settings(data_dir=tmp_path / "missing", database_url="postgresql://nobody@127.0.0.1:1/nothing")
    for settings in (missing, damaged, away):
        for words in (("keys", "revoke", ""), ("check", "--application", ""), ("catalogue", "use", "")):
            assert _complete(settings, monkeypatch, *words) == []
    assert not missing.data_dir.exists()
    assert [file.name for file in damaged.data_dir.iterdir()] == ["provender.db"]
