"""What commands print where: tables and bars on a terminal, plain columns elsewhere, documents, errors in one line."""

import json
import signal
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from provender.model.access import PREFIX_LENGTH
from provender.model.times import to_ms
from provender.settings import Settings
from tests.system.commands import KEY, PROGRAM, call, environment, printed
from tests.system.server import until
from tests.system.terminals import on_terminal

pytestmark = pytest.mark.usefixtures("anyio_backend")

GREEN, RED = "\x1b[32m", "\x1b[31m"


def _document(settings: Settings, *arguments: str) -> Any:
    return json.loads(printed(call(*arguments, "--json", settings=settings)))


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Settings, str, str]:
    """Storage with a key that works and one that was revoked."""
    settings = Settings(data_dir=tmp_path / "data")
    works, revoked = (
        printed(call("keys", "create", "--application", "acme", settings=settings)).strip() for _ in range(2)
    )
    call("keys", "revoke", revoked, settings=settings)
    return settings, works[:PREFIX_LENGTH], revoked[:PREFIX_LENGTH]


def test_a_terminal_gets_a_table_with_states_in_words_and_colours(keys: tuple[Settings, str, str]) -> None:
    settings, works, revoked = keys
    exit_code, shown = on_terminal("keys", "list", settings=settings, variables={})
    assert exit_code == 0
    lines = {key: next(line for line in shown.splitlines() if key in line) for key in (works, revoked)}
    assert f"{GREEN}works" in lines[works]
    assert f"{RED}revoked {datetime.now(UTC):%Y-%m-%d}" in lines[revoked]
    assert "─" in shown


def test_a_narrow_terminal_gets_blocks_and_no_color_is_heeded(keys: tuple[Settings, str, str]) -> None:
    settings, works, revoked = keys
    _, shown = on_terminal("keys", "list", settings=settings, columns=40, variables={"NO_COLOR": "1"})
    assert not any(colour in shown for colour in (GREEN, RED))
    words = [line.split()[-1] for line in shown.splitlines() if line.strip()]
    assert words.count("acme") == 2
    assert {works, revoked, "works"} <= set(words)
    assert all(len(line.replace("\x1b[1m", "").replace("\x1b[0m", "")) <= 40 for line in shown.splitlines())


def test_a_terminal_that_can_nothing_gets_the_columns_of_a_pipe(keys: tuple[Settings, str, str]) -> None:
    settings, *_ = keys
    _, shown = on_terminal("keys", "list", settings=settings, variables={"TERM": "dumb"})
    assert shown == printed(call("keys", "list", settings=settings))
    # What asks for colours does not make a terminal of a pipe.
    forced = call("keys", "list", settings=settings, variables={"FORCE_COLOR": "1", "TERM": "xterm"})
    assert printed(forced) == shown


def test_what_is_long_shows_a_bar_and_leaves_one_line(keys: tuple[Settings, str, str], tmp_path: Path) -> None:
    settings, *_ = keys
    exit_code, shown = on_terminal("backup", str(tmp_path / "backup"), settings=settings, variables={})
    assert exit_code == 0
    assert "━" in shown
    # The bar is wiped away again, and the one line stands where it was.
    last = shown.rstrip("\n").rsplit("\x1b[2K", 1)[1]
    assert last.startswith("Backed up ")


def test_keys_as_documents_have_the_words_of_the_api(settings: Settings) -> None:
    before = to_ms(datetime.now(UTC))
    made = _document(settings, "keys", "create", "--application", "acme", "--scope", "read", "--rate-limit", "none")
    assert KEY.fullmatch(made["key"])
    assert made == {
        "_id": made["key"][:PREFIX_LENGTH],
        "key": made["key"],
        "created": True,
        "application": "acme",
        "scope": "read",
        "rate_limit": 0,
    }
    prefix = made["_id"]
    assert _document(settings, "keys", "limit", prefix, "600") == {
        "_id": prefix,
        "application": "acme",
        "rate_limit": 600,
    }
    rotated = _document(settings, "keys", "rotate", prefix, "--overlap", "1h")
    [old, new] = sorted(_document(settings, "keys", "list")["data"], key=lambda key: key["_id"] != prefix)
    assert rotated["replaces"] == old
    assert (rotated["_id"], rotated["application"]) == (new["_id"], "acme")
    assert old.keys() == {
        "_id",
        "application",
        "scope",
        "created_at",
        "last_used_on",
        "revoked_at",
        "rate_limit",
        "works",
    }
    assert old["works"]
    assert old["revoked_at"] >= before + 3_600_000
    assert (new["revoked_at"], new["last_used_on"], new["rate_limit"]) == (None, None, 600)
    revoked = _document(settings, "keys", "revoke", prefix)
    assert revoked == {"_id": prefix, "application": "acme", "deleted": True}
    [application] = _document(settings, "applications", "list")["data"]
    assert application["name"] == "acme"
    assert application["created_at"] >= before


def test_the_catalogue_and_barcodes_as_documents(settings: Settings) -> None:
    [version] = _document(settings, "catalogue", "list")["data"]
    assert version["is_current"]
    assert version["foods"] >= version["listed"] > 0
    info = _document(settings, "catalogue", "info")
    assert version.items() <= info.items()
    assert info.keys() - version.keys() == {"format", "datasets", "last_import"}
    assert sum(dataset["foods"] for dataset in info["datasets"]) == version["foods"]
    [reading] = _document(settings, "gtin", "4006381333931")["data"]
    assert (reading["kind"], reading["gtin13"], reading["is_valid"]) == ("EAN-13", "4006381333931", True)
    wrong = call("gtin", "4006381333932", "--json", settings=settings)
    assert wrong.exit_code == 1
    assert json.loads(wrong.stdout)["data"][0]["check_digit"] == "1"


def test_the_report_of_an_import_as_a_document(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    products = tmp_path / "products.jsonl"
    good = {"code": "4006381333931", "product_name": "Good", "nutriments": {"energy-kcal_100g": 200}}
    products.write_text(f'{json.dumps(good)}\n{{"code":"4006381333948","product_name":"Without"}}\n')
    report = _document(settings, "import", "off", str(products), "--replace")
    assert Path(report.pop("rejected_records")).is_file()
    [version] = _document(settings, "catalogue", "list")["data"]
    assert report == {
        "version": version["version"],
        "foods": 1,
        "read": 2,
        "accepted": 1,
        "rejected": 1,
        "rejections": [{"reason": "no_energy", "records": 1}],
        "mends": [],
    }
    last = _document(settings, "catalogue", "info")["last_import"]
    assert {name: last[name] for name in ("read", "accepted", "rejected", "rejections", "mends")} == {
        name: report[name] for name in ("read", "accepted", "rejected", "rejections", "mends")
    }


def test_backups_and_copies_as_documents(settings: Settings, tmp_path: Path) -> None:
    printed(call("keys", "create", "--application", "acme", settings=settings))
    made = _document(settings, "backup", str(tmp_path / "backup"))
    assert made["rows"]["api_keys"] == 1
    assert made["size"] > 1000
    restored = Settings(data_dir=tmp_path / "restored")
    brought = _document(restored, "restore", str(tmp_path / "backup"))
    assert brought == {name: value for name, value in made.items() if name != "took_s"}
    copied = _document(settings, "copy", "--to", str(tmp_path / "copied"))
    assert copied["rows"] == made["rows"]


@pytest.mark.parametrize("arguments", [("--help",), ("keys", "list", "--json")])
def test_output_that_cannot_be_written_is_one_line(keys: tuple[Settings, str, str], arguments: tuple[str, ...]) -> None:
    settings, *_ = keys
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, *arguments],
            env=environment(settings),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert "No space left" in line


def test_a_closed_output_and_a_reader_that_has_seen_enough_are_no_errors(keys: tuple[Settings, str, str]) -> None:
    settings, *_ = keys
    program = " ".join(PROGRAM)
    for line in (f"{program} keys list >&-", f"{program} completion bash | true"):
        done = subprocess.run(
            ["bash", "-c", line], env=environment(settings), capture_output=True, text=True, check=False
        )
        assert done.stderr == ""
        assert done.returncode == 0


def test_ctrl_c_is_one_line_that_says_what_is_left(keys: tuple[Settings, str, str]) -> None:
    settings, *_ = keys
    (settings.data_dir / "catalogue").mkdir()
    with subprocess.Popen(
        [*PROGRAM, "demo", "--days", "366"],
        env=environment(settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            until(lambda: bool(list((settings.data_dir / "catalogue").glob(".building-*"))), 20, "it begins")
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert (process.returncode, out) == (130, "")
    assert err == "provender: stopped. `provender demo --replace` begins anew.\n"


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("kyes",), "keys"),
        (("keys", "lst"), "list"),
        (("keys", "list", "--jsn"), "--json"),
        (("demo", "--sed"), "--seed"),
    ],
)
def test_the_nearest_name_is_proposed_for_one_that_does_not_exist(arguments: tuple[str, ...], meant: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert f"'{meant}'" in line
