"""What `deploy/` says about the program is true, and the program needs no more than it is given there."""

import contextlib
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import zipfile
from dataclasses import fields
from pathlib import Path
from typing import Any

import psutil
import pytest

from provender.cli import main
from provender.settings import Settings, variable
from tests.system.commands import environment
from tests.system.server import STOPPED_WITHIN_S, Server, free_port, serving

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "deploy" / "provender.service"
CONTAINERFILE = ROOT / "deploy" / "Containerfile"
COMPOSE = ROOT / "deploy" / "compose.yaml"
VARIABLES = {variable(setting.name) for setting in fields(Settings)}


def _unit() -> dict[str, list[str]]:
    """Everything that the unit says, by name."""
    said: dict[str, list[str]] = {}
    for line in UNIT.read_text().splitlines():
        if line and not line.startswith(("#", "[")):
            name, _, value = line.partition("=")
            said.setdefault(name, []).append(value)
    return said


def _instructions() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, each as one line."""
    text = re.sub(r"^#.*\n", "", CONTAINERFILE.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return [(word, " ".join(rest.split())) for word, rest in re.findall(r"^([A-Z]+) (.+)$", text, re.MULTILINE)]


def _given(name: str) -> list[str]:
    return [rest for word, rest in _instructions() if word == name]


def test_the_unit_starts_a_command_that_exists_with_settings_that_exist() -> None:
    [command] = _unit()["ExecStart"]
    program, name, *options = shlex.split(command)
    assert program == "/opt/provender/bin/provender"
    # Reads the command line without running it.
    main.commands[name].make_context(name, options)
    named = {value.partition("=")[0] for value in _unit()["Environment"]}
    assert "PROVENDER_DATA_DIR" in named
    assert {one for one in named if one.startswith("PROVENDER_")} <= VARIABLES


def test_the_unit_leaves_time_to_stop_and_nothing_to_write_to_but_the_data_folder() -> None:
    unit = _unit()
    assert int(unit["TimeoutStopSec"][0]) > STOPPED_WITHIN_S
    assert unit["KillMode"] == ["mixed"]
    assert unit["ProtectSystem"] == ["strict"]
    assert unit["CapabilityBoundingSet"] == [""]
    assert unit["NoNewPrivileges"] == ["yes"]
    assert unit["StateDirectory"] == ["provender"]
    assert "PROVENDER_DATA_DIR=%S/provender" in unit["Environment"]
    assert "ReadWritePaths" not in unit


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("There is no systemd-analyze on this machine.")
    # It looks for the program, which is not installed there.
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace("/opt/provender/bin/provender", sys.executable))
    told = subprocess.run([program, "verify", str(copy)], capture_output=True, text=True, timeout=30, check=False)
    assert [line for line in told.stderr.splitlines() if UNIT.name in line] == []


def test_the_image_installs_only_what_is_locked_and_copies_what_is_there() -> None:
    installs = [step for rest in _given("RUN") for step in rest.split("&&") if "pip install" in step]
    assert len(installs) == 4
    for step in installs:
        assert "--require-hashes" in step or "--no-deps --no-index" in step, step
    assert _given("ADD") == []
    for rest in _given("COPY"):
        if not rest.startswith("--from="):
            *sources, _ = rest.split()
            assert all((ROOT / source).exists() for source in sources), rest
            allowed = (ROOT / ".dockerignore").read_text().split()
            assert all(f"!{source.rstrip('/')}" in allowed for source in sources), rest


def test_the_image_has_the_documents_in_it_and_copies_all_that_they_are_made_of(site: Path, tmp_path: Path) -> None:
    steps = [rest for word, rest in _instructions() if word == "RUN"]
    [built] = [number for number, step in enumerate(steps) if "scripts/build_docs.py" in step]
    [wheel] = [number for number, step in enumerate(steps) if "pip wheel" in step]
    assert built < wheel
    for rest in _given("COPY"):
        if not rest.startswith("--from="):
            *sources, target = rest.split()
            for source in sources:
                place = tmp_path / target / ("" if (ROOT / source).is_dir() or target != "./" else source)
                place.parent.mkdir(parents=True, exist_ok=True)
                (shutil.copytree if (ROOT / source).is_dir() else shutil.copy)(ROOT / source, place)
    # Of the same files the same site would be made, so it is not made again.
    command = [sys.executable, str(tmp_path / "scripts" / "build_docs.py"), "--site", str(site)]
    before = (site / "site.json").stat().st_mtime_ns
    assert subprocess.run(command, env=environment(), timeout=120, check=False).returncode == 0
    assert (site / "site.json").stat().st_mtime_ns == before


def test_a_wheel_that_is_built_after_the_documents_has_them_in_it(site: Path, tmp_path: Path) -> None:
    for name in (".gitignore", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("site", "site.new", "__pycache__"))
    shutil.copytree(site, tmp_path / "src" / "provender" / "site")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, timeout=120, check=True)
    [wheel] = (tmp_path / "dist").glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    inside = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert {f"provender/site/{name}" for name in inside} <= names


def test_the_image_runs_as_nobody_in_particular_with_settings_that_exist() -> None:
    [user] = _given("USER")
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
    assert _given("VOLUME") == ["/data"]
    assert _given("STOPSIGNAL") == ["SIGTERM"]
    assert _given("ENTRYPOINT") == ['["provender"]']
    [name] = re.findall(r"\w+", _given("CMD")[0])
    assert name in main.commands
    texts = [*_given("ENV"), COMPOSE.read_text()]
    named = {one for text in texts for one in re.findall(r"\bPROVENDER_\w+", text)}
    assert "PROVENDER_DATA_DIR" in named
    assert named <= VARIABLES
    # A name of a host would be a registry's.
    assert all("/" not in rest for rest in _given("FROM"))
    assert all("://" not in rest for rest in _given("LABEL"))


def _image_environment(data_dir: Path) -> dict[str, str]:
    """What the image says, with a data folder that is somewhere else."""
    pairs = dict(pair.split("=", 1) for pair in _given("ENV")[-1].split())
    del pairs["PATH"], pairs["PROVENDER_HOST"]
    return {name: value.replace("/data", str(data_dir)) for name, value in pairs.items()}


# All that is mounted becomes read-only, and the data folder a mount of its own that does not.
_CAGE = """
set -e
mount --make-rprivate /
mount --bind "$0" "$0"
cut -d ' ' -f 5 /proc/self/mountinfo | sort -u | while read -r place; do
    case "$place" in "$0"|/proc|/proc/*|/sys|/sys/*) continue ;; esac
    options=$(findmnt -n -o OPTIONS --mountpoint "$place" | tail -n 1 | tr , '\\n' \\
        | grep -E '^(nosuid|nodev|noexec|noatime|relatime|nodiratime)$' | tr '\\n' ,)
    mount -o "remount,bind,${options}ro" "$place"
done
exec "$@"
"""


def _cage(data_dir: Path) -> list[str]:
    """A command that runs another one where nothing can be written to but the data folder."""
    return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", _CAGE, str(data_dir)]


def _is_caged(data_dir: Path) -> bool:
    """Whether such a thing can be had here: a container may forbid it."""
    tried = f'! touch {data_dir.parent}/x 2>/dev/null && ! touch /dev/shm/x 2>/dev/null && touch "{data_dir}/x"'
    try:
        command = [*_cage(data_dir), "sh", "-c", tried]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except OSError:
        return False
    (data_dir / "x").unlink(missing_ok=True)
    return done.returncode == 0


def _written_to(server: Server) -> set[Path]:
    """The files that the server and its workers have open for writing, but for those that it was given."""
    main_process = psutil.Process(server.process.pid)
    found = set()
    for process in [main_process, *main_process.children(recursive=True)]:
        for entry in Path(f"/proc/{process.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):
                target = entry.readlink()
                flags = int(Path(f"/proc/{process.pid}/fdinfo/{entry.name}").read_text().split()[3], 8)
                if flags & (os.O_WRONLY | os.O_RDWR) and stat.S_ISREG(entry.stat().st_mode):
                    found.add(target)
    return found - {server.stdout_path, server.stderr_path}


@pytest.fixture
def empty_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    return folder


def test_nothing_is_written_outside_of_the_data_folder(empty_dir: Path) -> None:
    """From an empty folder on, so that it builds the catalogue too; with metrics, and a document that is spooled."""
    caged = sys.platform == "linux" and _is_caged(empty_dir)
    options: dict[str, Any] = {"through": _cage(empty_dir)} if caged else {}
    variables = _image_environment(empty_dir) | {"PROVENDER_METRICS_PORT": str(free_port()), "HOME": "/nonexistent"}
    if "PYTHONPATH" in os.environ:
        # From elsewhere a relative path leads nowhere.
        variables["PYTHONPATH"] = os.pathsep.join(
            str(Path(one).resolve()) for one in os.environ["PYTHONPATH"].split(os.pathsep)
        )
    settings = Settings(data_dir=empty_dir)
    with serving(settings, variables=variables, cwd=Path("/"), **options) as server:
        with server.client(server.key) as client:
            client.post("/v1/profiles", data={"reference_id": "alice"}).raise_for_status()
            [food] = client.get("/v1/foods/search", params={"query": "banana", "limit": 1}).json()["data"]
            log = {"profile_reference_id": "alice", "food_id": food["_id"], "meal": "lunch"}
            client.post("/v1/diary-logs", data=log).raise_for_status()
            document = client.get("/v1/profiles/alice/export").json()
            taken = client.post("/v1/profiles/import", params={"reference_id": "bob"}, json=document)
            assert taken.status_code == 201, taken.text
        if sys.platform == "linux":
            written = _written_to(server)
            assert written
            assert [path for path in written if not path.is_relative_to(empty_dir)] == []
        assert server.stop() == 0
    assert "Built the food catalogue" in server.stdout
    assert "Read-only" not in server.stderr
    if not caged:
        pytest.skip("Nothing can be mounted here, so only what was open was looked at.")


def test_the_health_check_of_the_image_asks_the_server(data_dir: Path) -> None:
    [check] = _given("HEALTHCHECK")
    words = re.findall(r'"((?:[^"\\]|\\.)*)"', check)
    assert words[:2] == ["python", "-c"]

    def ask(port: int) -> int:
        variables = environment() | {"PROVENDER_PORT": str(port)}
        asked = [sys.executable, *words[1:]]
        return subprocess.run(asked, env=variables, capture_output=True, timeout=20, check=False).returncode

    with serving(Settings(data_dir=data_dir)) as server:
        assert ask(server.port) == 0
        server.stop()
        assert ask(server.port) != 0
