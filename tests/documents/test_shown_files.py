"""Files and lines that how-tos show for other programs: those programs read them, where they are there."""

import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from provender.settings import Settings
from provender.storage.migrations import migrations
from tests.documents.answers import differences
from tests.documents.names import Names
from tests.documents.pages import shown_block
from tests.system.commands import call, printed
from tests.test_project import DOCS


def _shown(page: str, beginning: str) -> str:
    return shown_block(DOCS / page, beginning)


def _read_by(*command: str) -> None:
    """Let a program read what the command names. It is content, or says why not."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"There is no {command[0]} on this machine.")
    told = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.fixture
def storage(tmp_path: Path) -> Settings:
    settings = Settings(data_dir=tmp_path / "provender-data")
    printed(call("keys", "create", "--application", "acme", settings=settings))
    return settings


def test_systemd_understands_the_timer_and_its_service(tmp_path: Path) -> None:
    for kind, beginning in (("service", "[Service]"), ("timer", "[Timer]")):
        (tmp_path / f"provender-backup.{kind}").write_text(_shown("how-to-back-up.md", beginning))
    _read_by("systemd-analyze", "verify", f"{tmp_path}/provender-backup.timer", f"{tmp_path}/provender-backup.service")
    [time] = [line for line in _shown("how-to-back-up.md", "[Timer]").splitlines() if line.startswith("OnCalendar=")]
    _read_by("systemd-analyze", "calendar", time.removeprefix("OnCalendar="))


def test_the_haproxy_of_the_page_is_one(tmp_path: Path) -> None:
    (tmp_path / "haproxy.cfg").write_text(_shown("how-to-run-on-many-machines.md", "defaults"))
    _read_by("haproxy", "-c", "-f", f"{tmp_path}/haproxy.cfg")


def test_the_nginx_of_the_page_is_one(tmp_path: Path) -> None:
    shown = _shown("how-to-run-on-many-machines.md", "upstream provender")
    paths = "".join(f"{kind}_temp_path {tmp_path};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid; events {{}} http {{ access_log off; {paths}\n{shown}\n}}"
    )
    _read_by("nginx", "-t", "-p", str(tmp_path), "-c", f"{tmp_path}/nginx.conf", "-e", f"{tmp_path}/error.log")


def test_the_line_for_cron_backs_up_into_a_folder_of_the_day(storage: Settings, tmp_path: Path) -> None:
    """What cron does with it: five fields, and a command for sh in which `\\%` is a percent sign."""
    *fields, command = _shown("how-to-back-up.md", "15 3").split(maxsplit=5)
    assert fields == ["15", "3", "*", "*", "*"]
    (tmp_path / "backups").mkdir()
    program = tmp_path / "provender"
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    for said, here in {
        "/opt/provender/bin/provender": str(program),
        "/var/lib/provender": str(storage.data_dir),
        "/var/backups/provender": str(tmp_path / "backups"),
        r"\%": "%",
    }.items():
        assert said in command
        command = command.replace(said, here)
    assert "%" not in _shown("how-to-back-up.md", "15 3").replace(r"\%", "")
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=30, check=True)
    words = done.stdout.split()
    assert re.fullmatch(rf"{tmp_path}/backups/\d{{4}}-\d\d-\d\d", words[-1])
    assert printed(call(*words)).startswith("Backed up ")


def test_a_note_that_a_profile_is_deleted_is_made_and_removed(storage: Settings) -> None:
    note, remove = _shown("how-to-check-and-repair.md", "INSERT INTO").splitlines()
    database = apsw.Connection(str(storage.data_dir / "provender.db"))
    count = "SELECT count(*) FROM deleted_profiles WHERE profile_id = 'THE_ID'"
    assert [database.execute(sql).fetchall() for sql in (note, count, remove, count)] == [[], [(1,)], [], [(0,)]]
    database.close()


def test_a_storage_of_a_newer_release_is_refused_in_the_words_of_the_page(storage: Settings) -> None:
    database = apsw.Connection(str(storage.data_dir / "provender.db"))
    database.pragma("user_version", migrations()[-1].number + 1)
    database.close()
    shown = _shown("how-to-upgrade.md", "provender: The storage has schema")
    told = call("keys", "list", settings=storage).stderr
    assert list(differences(shown, told, Names("", datetime.now(UTC).date()))) == []
