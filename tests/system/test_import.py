"""`provender import` and `provender catalogue` beside a running server."""

import json
import shutil
import signal
import stat
import subprocess
import threading
import time
import zipfile
from pathlib import Path

import pytest

from provender.catalogue.folder import FORMAT, CatalogueFolder
from provender.model.foods import food_id
from provender.settings import Settings
from tests.pantry import BANANA
from tests.system.commands import PROGRAM, environment
from tests.system.server import serving, until, worker_of

# Every worker of a running server uses a new version within so many seconds.
MOVED_WITHIN_S = 5


@pytest.fixture
def own_catalogue(tmp_path: Path, catalogue_folder: CatalogueFolder) -> Settings:
    """The pantry in a catalogue of this test's own, which it may change.

    The catalogue is the same files on either engine, so one of them is enough here.
    """
    data_dir = tmp_path / "data"
    data_dir.mkdir(mode=0o700)
    shutil.copytree(catalogue_folder.path, data_dir / "catalogue")
    return Settings(data_dir=data_dir)


def _product(code: str, name: str, **more: object) -> str:
    nutriments = {"energy-kcal_100g": 50, "fat_100g": 1, "carbohydrates_100g": 9, "proteins_100g": 1}
    return json.dumps({"code": code, "product_name": name, "brands": "Acme", "nutriments": nutriments} | more)


def _products(path: Path, count: int) -> Path:
    path.write_text("\n".join(_product(f"{number:013}", f"Product {number}") for number in range(count)))
    return path


def _run(settings: Settings, *words: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *words],
        env=environment(settings),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_report_counts_every_record(own_catalogue: Settings, tmp_path: Path) -> None:
    file = tmp_path / "products.jsonl"
    file.write_text("\n".join([_product("4006381333931", "Good"), _product("1", ""), "nonsense"]))
    result = _run(own_catalogue, "import", "off", str(file), "--rejected", str(tmp_path / "rejected.jsonl"))
    assert result.returncode == 0, result.stderr
    assert "3 records read: 1 accepted, 2 rejected." in result.stdout
    reasons = [json.loads(line)["reason"] for line in (tmp_path / "rejected.jsonl").read_text().splitlines()]
    assert sorted(reasons) == ["no_name", "unreadable"]
    folder = CatalogueFolder(own_catalogue.data_dir / "catalogue")
    kept = (folder.path / (folder.current() or "") / "manifest.json").read_text()
    assert json.loads(kept)["reports"][-1]["rejected"] == {"no_name": 1, "unreadable": 1}
    assert str(tmp_path) not in kept, "where files lie on a machine is nobody's business"


def test_a_file_that_is_there_is_not_overwritten_with_rejections(own_catalogue: Settings, tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("mine")
    result = _run(own_catalogue, "import", "off", "-", "--rejected", str(precious), stdin=_product("1", "Good"))
    assert result.returncode == 1
    assert "exists already" in result.stderr
    assert precious.read_text() == "mine"


def test_what_is_imported_first_of_all_is_added_to_the_shipped_foods(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "new")
    result = _run(settings, "import", "off", "-", stdin=_product("4006381333931", "Good"))
    assert result.returncode == 0, result.stderr
    assert "1 record read" in result.stdout
    assert "8790 foods" in result.stdout
    assert stat.S_IMODE(settings.data_dir.stat().st_mode) == 0o700


def test_a_version_of_another_format_can_be_seen_and_left(own_catalogue: Settings) -> None:
    folder = CatalogueFolder(own_catalogue.data_dir / "catalogue")
    version = folder.current()
    manifest = folder.path / str(version) / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"format": {FORMAT}', '"format": 99'))
    assert "cannot be read" in _run(own_catalogue, "catalogue", "list").stdout
    refused = _run(own_catalogue, "import", "off", "-", stdin=_product("1", "Good"))
    assert refused.returncode == 1
    assert "--replace" in refused.stderr
    assert _run(own_catalogue, "import", "off", "-", "--replace", stdin=_product("1", "Good")).returncode == 0


def test_standard_input_works(own_catalogue: Settings) -> None:
    result = _run(own_catalogue, "import", "off", "-", stdin=_product("4006381333931", "Good"))
    assert result.returncode == 0, result.stderr
    assert "1 accepted" in result.stdout


def test_a_zip_may_come_from_standard_input(own_catalogue: Settings, tmp_path: Path) -> None:
    """It is read from its end, so it has to be kept first."""
    energy = {"nutrient": {"id": 1008, "number": "208", "unitName": "kcal"}, "amount": 89}
    food = {"fdcId": 1, "ndbNumber": 9040, "description": "Bananas, fresh", "foodNutrients": [energy]}
    archive = tmp_path / "foundation.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("foundation.json", json.dumps({"FoundationFoods": [food]}))
    with archive.open("rb") as stdin:
        result = subprocess.run(
            [*PROGRAM, "import", "fdc", "-"],
            env=environment(own_catalogue),
            stdin=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert result.returncode == 0, result.stderr
    assert "1 accepted" in result.stdout


def test_of_several_sources_the_one_that_is_wrong_is_named(own_catalogue: Settings, tmp_path: Path) -> None:
    (tmp_path / "sound.jsonl").write_text("{}\n")
    (tmp_path / "notes.txt").write_text("not a table\n")
    result = _run(own_catalogue, "import", "off", f"{tmp_path}/sound.jsonl", "off", f"{tmp_path}/notes.txt")
    assert result.stderr.startswith(f"provender: {tmp_path}/notes.txt: This is not the tab-separated export")


@pytest.mark.parametrize(
    "words",
    [
        ["off", "/nowhere.jsonl"],
        ["off"],
        ["fdc", "/nowhere.zip"],
        ["csv", "-"],
        ["csv", "-", "--map", "/nowhere.toml"],
        ["banana", "x"],
        ["x"],
    ],
)
def test_what_cannot_be_imported_is_refused_in_one_line(own_catalogue: Settings, words: list[str]) -> None:
    before = CatalogueFolder(own_catalogue.data_dir / "catalogue").current()
    result = _run(own_catalogue, "import", *words, stdin="")
    assert result.returncode == 1
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert CatalogueFolder(own_catalogue.data_dir / "catalogue").current() == before


def test_an_import_under_load_fails_no_request_and_every_worker_moves_to_it(
    own_catalogue: Settings, tmp_path: Path
) -> None:
    file = _products(tmp_path / "products.jsonl", 2000)
    new = food_id("off", f"{0:013}")
    with serving(own_catalogue, workers=2) as server:
        key = server.key
        done = threading.Event()
        failures: list[str] = []

        def ask() -> None:
            with server.client(key, kept_connections=0) as client:
                while not done.is_set():
                    answer = client.get(f"/v1/foods/{BANANA.id}")
                    if answer.status_code != 200:
                        failures.append(answer.text)

        callers = [threading.Thread(target=ask) for _ in range(4)]
        for caller in callers:
            caller.start()
        try:
            for _ in range(3):
                result = _run(own_catalogue, "import", "off", str(file), "--partial")
                assert result.returncode == 0, result.stderr
                finished = time.monotonic()
            with server.client(key, kept_connections=0) as client:

                def has_moved() -> bool:
                    answers = [client.get(f"/v1/foods/{new}") for _ in range(12)]
                    return {worker_of(answer) for answer in answers if answer.status_code == 200} >= {
                        worker_of(answer) for answer in answers
                    } and all(answer.status_code == 200 for answer in answers)

                until(has_moved, MOVED_WITHIN_S, "every worker has moved")
                assert time.monotonic() - finished < MOVED_WITHIN_S + 1
        finally:
            done.set()
            for caller in callers:
                caller.join(10)
        assert failures == []


def test_ctrl_c_leaves_the_catalogue_as_it_was(own_catalogue: Settings) -> None:
    folder = CatalogueFolder(own_catalogue.data_dir / "catalogue")
    before = folder.current()
    with subprocess.Popen(
        [*PROGRAM, "import", "off", "-"],
        env=environment(own_catalogue),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdin is not None
            process.stdin.write(_product("4006381333931", "Good") + "\n")
            process.stdin.flush()
            # The build has begun, and waits for more of its input.
            until(lambda: bool(list(folder.path.glob(".building-*"))), 20, "the build begins")
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 130
    assert out == ""
    assert err == "provender: stopped. The catalogue is as it was.\n"
    assert folder.current() == before
    assert not list(folder.path.glob(".building-*"))


def test_versions_can_be_listed_and_gone_back_to(own_catalogue: Settings) -> None:
    folder = CatalogueFolder(own_catalogue.data_dir / "catalogue")
    before = folder.current()
    assert before is not None
    _run(own_catalogue, "import", "off", "-", "--partial", stdin=_product("4006381333931", "Good"))
    after = folder.current()
    assert after is not None
    assert after != before
    listed = _run(own_catalogue, "catalogue", "list").stdout
    assert before in listed
    assert next(line for line in listed.splitlines() if "in use" in line).startswith(after)
    info = _run(own_catalogue, "catalogue", "info").stdout
    assert "off" in info
    assert "s. 1 record read: 1 accepted, 0 rejected." in info
    assert _run(own_catalogue, "catalogue", "use", before).returncode == 0
    assert folder.current() == before
    assert before in _run(own_catalogue, "catalogue", "info").stdout
    refused = _run(own_catalogue, "catalogue", "use", "nonsense")
    assert refused.returncode == 1
    assert len(refused.stderr.splitlines()) == 1
    assert folder.current() == before


@pytest.mark.parametrize(
    ("code", "expected", "exit_code"),
    [
        ("036000291452", "0036000291452", 0),
        ("04252614", "0042100005264", 0),
        ("0-36000-29145-2", "0036000291452", 0),
        ("00000758", "more than one way", 0),
        ("4006381333932", "wrong (right: 1)", 1),
        ("10036000291459", "gtin_14_only", 1),
    ],
)
def test_gtin_says_what_a_barcode_is(code: str, expected: str, exit_code: int) -> None:
    result = subprocess.run([*PROGRAM, "gtin", code], capture_output=True, text=True, timeout=20, check=False)
    assert expected in result.stdout
    assert result.returncode == exit_code
