"""Files that mean harm, or are broken, given to `provender import`: refused in one line, or read safely.

Whatever happens, the version in use stays, or a whole new one takes its place, and nothing is left lying about.
"""

import gzip
import io
import json
import lzma
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.store import Catalogue
from provender.model.foods import food_id
from provender.settings import Settings
from tests.system.commands import Result, call, environment, printed, refusal

MIB = 1024 * 1024

PRODUCTS = b"".join(
    json.dumps(
        {"code": f"{number:013}", "product_name": f"Food {number * 7919}", "nutriments": {"energy-kcal": 50}}
    ).encode()
    + b"\n"
    for number in range(3000)
)
TABLE = b"id,name,kcal\n1,Apple,52\n"
MAP = """
source = "mine"
basis = "100g"
[columns]
key = "id"
name = "name"
[nutrients]
energy_kcal = "kcal"
"""
BUNDLE = {
    "food.csv": b"fdc_id,description,publication_date\n1,Apple,2019-04-01\n",
    "food_nutrient.csv": b"fdc_id,nutrient_id,amount\n1,1008,52\n",
    "foundation_food.csv": b"fdc_id,ndb_number\n1,9003\n",
}


class Kitchen:
    """A data folder that imports are tried on."""

    def __init__(self, folder: Path, catalogue: CatalogueFolder) -> None:
        self.folder = folder
        self.settings = Settings(data_dir=folder / "data")
        self.settings.data_dir.mkdir(mode=0o700)
        shutil.copytree(catalogue.path, self.settings.data_dir / "catalogue")
        self.catalogue = CatalogueFolder(self.settings.data_dir / "catalogue")
        self.version = self.catalogue.current()
        (folder / "map.toml").write_text(MAP)

    def take(self, kind: str, data: bytes, name: str = "given") -> Result:
        (self.folder / name).write_bytes(data)
        return self.take_file(kind, self.folder / name)

    def take_file(self, kind: str, path: Path) -> Result:
        more = ("--map", str(self.folder / "map.toml")) if kind == "csv" else ()
        return call("import", kind, str(path), *more, settings=self.settings)

    def refuse(self, kind: str, data: bytes) -> str:
        line = refusal(self.take(kind, data))
        self.check_nothing_changed()
        return line

    def check_nothing_changed(self) -> None:
        assert self.catalogue.current() == self.version
        assert self.catalogue.versions() == [self.version]
        left = [path.name for path in self.settings.data_dir.rglob("*") if path.is_file()]
        assert sorted(left) == [".lock", "current", "foods.db", "manifest.json"]

    def name_of(self, key: str) -> str:
        """The name of a food of the operator's own, as it is answered."""
        version = self.catalogue.current()
        assert version is not None
        found = Catalogue(self.catalogue, version).find(food_id("mine", key), frozenset())
        assert found is not None
        return str(json.loads(found.body)["food_name"])

    def rejections(self) -> list[dict[str, Any]]:
        [file] = (self.settings.data_dir / "imports").iterdir()
        return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.fixture
def kitchen(tmp_path: Path, catalogue_folder: CatalogueFolder) -> Kitchen:
    return Kitchen(tmp_path, catalogue_folder)


def make_zip(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def damaged(data: bytes) -> bytes:
    """Twenty bytes in the middle are others."""
    at = len(data) // 2
    return data[:at] + bytes(byte ^ 0x5A for byte in data[at : at + 20]) + data[at + 20 :]


# --- Files that are broken


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
@pytest.mark.parametrize("spoil", [damaged, lambda data: data[:-1000], lambda data: data[:20]])
def test_a_compressed_file_that_is_damaged_or_cut_off_is_no_version(
    kitchen: Kitchen, compress: Callable[[bytes], bytes], spoil: Callable[[bytes], bytes]
) -> None:
    line = kitchen.refuse("off", spoil(compress(PRODUCTS)))
    assert "given cannot be read, or is damaged" in line


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_member_of_a_zip_is_refused(kitchen: Kitchen, method: int) -> None:
    rows = b"".join(b"%d,1008,%d\n" % (number, number % 900) for number in range(2000))
    members = {"food_nutrient.csv": b"fdc_id,nutrient_id,amount\n" + rows}
    data = make_zip(members | {name: BUNDLE[name] for name in ("food.csv", "foundation_food.csv")}, method)
    assert "cannot be read, or is damaged" in kitchen.refuse("fdc", damaged(data))


@pytest.mark.parametrize(
    "data", [b"", b"hello\nworld\n", b"\x00" * 5000, b"BZh91AY&SY", b"PK\x03\x04 no zip", b"\xff\xfe"]
)
def test_a_file_that_is_no_export_is_refused(kitchen: Kitchen, data: bytes) -> None:
    assert "names no column `code`" in kitchen.refuse("off", data)


def _parquet(**columns: Any) -> bytes:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    file = io.BytesIO()
    parquet.write_table(arrow.table(columns), file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"x": [1]}, "no column `code`"),
        ({"code": ["1"], "nutriments": [5]}, "`nutriments` is no list"),
        ({"code": ["1"], "product_name": ["Apple"]}, "`product_name` is no list"),
        ({"code": ["1"], "nutriments": [[{"name": "fat"}]]}, "`nutriments` is no list"),
    ],
)
def test_a_parquet_file_of_something_else_is_refused(kitchen: Kitchen, columns: dict[str, Any], why: str) -> None:
    assert why in kitchen.refuse("off", _parquet(**columns))


def test_a_parquet_file_that_is_cut_off_is_refused(kitchen: Kitchen) -> None:
    assert "The Parquet file cannot be read" in kitchen.refuse("off", _parquet(code=["1"])[:-20])


# --- Files that mean harm


def test_a_zip_with_a_file_twice_is_refused_rather_than_one_of_them_believed(kitchen: Kitchen) -> None:
    data = make_zip(BUNDLE | {"FOOD.CSV": b"fdc_id,description\n1,Poison\n"})
    assert "food.csv more than once" in kitchen.refuse("fdc", data)


def test_encrypted_members_are_as_if_they_were_not_there(kitchen: Kitchen) -> None:
    data = bytearray(make_zip(BUNDLE))
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + flags] |= 1
            at = data.find(mark, at + 1)
    assert "neither the CSV files" in kitchen.refuse("fdc", bytes(data))


def test_a_link_in_a_zip_is_not_followed(kitchen: Kitchen) -> None:
    """It is a file with a path in it, and nothing more."""
    (kitchen.folder / "secret.csv").write_bytes(BUNDLE["food.csv"])
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in ("food_nutrient.csv", "foundation_food.csv"):
            archive.writestr(name, BUNDLE[name])
        link = zipfile.ZipInfo("food.csv")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, str(kitchen.folder / "secret.csv"))
    assert "food.csv has no column `fdc_id`" in kitchen.refuse("fdc", file.getvalue())


def _bomb(path: Path, mib: int) -> Path:
    """Empty lines and nothing else, which are read quickly."""
    piece = b"\n" * MIB
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"{}\n")
        for _ in range(mib):
            file.write(piece)
    return path


def test_a_compressed_file_that_expands_too_much_is_refused(kitchen: Kitchen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("provender.importers.opening._LET_PASS", 8 * MIB)
    path = _bomb(kitchen.folder / "bomb.gz", mib=12)
    line = refusal(kitchen.take_file("off", path))
    assert "expands to over 100 times its size" in line
    kitchen.check_nothing_changed()


def test_a_zip_that_expands_too_much_is_refused(kitchen: Kitchen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("provender.importers.opening._LET_PASS", MIB)
    members = dict(BUNDLE, **{"food_nutrient.csv": BUNDLE["food_nutrient.csv"] + b"1,1008,52\n" * 200_000})
    assert "food_nutrient.csv expands to over 100 times its size" in kitchen.refuse("fdc", make_zip(members))


def test_a_zip_that_lies_about_sizes_is_refused(kitchen: Kitchen) -> None:
    data = bytearray(
        make_zip({name: BUNDLE[name] for name in ("foundation_food.csv", "food_nutrient.csv", "food.csv")})
    )
    at = data.rfind(b"PK\x01\x02")
    # What the last member has when it is expanded, according to the directory.
    data[at + 24 : at + 28] = (30).to_bytes(4, "little")
    assert "cannot be read, or is damaged" in kitchen.refuse("fdc", bytes(data))


def test_what_is_small_may_be_packed_however_tightly(kitchen: Kitchen) -> None:
    data = gzip.compress(b'{"code": "1"}\n' * 10_000)
    assert 100 * len(data) < 140_000
    assert "10000 records read" in printed(kitchen.take("off", data))


# --- Lines without an end

_MOST_MEMORY_MIB = 250

# Not getrusage: what that says of memory begins with that of the process which started this one.
_IMPORT = """
import re, sys
from provender.cli import main
try:
    main(sys.argv[1:], standalone_mode=False)
except BaseException as error:
    print(error, file=sys.stderr)
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]) // 1024)
"""


@pytest.mark.parametrize(
    ("kind", "start", "where"),
    [
        ("off", b'{"code": "1"}\n{"code": "', "Line 2 is"),
        ("off", b"code\tproduct_name\n1\tApple\n2\t", "Line 3 is"),
        ("csv", TABLE + b"2,", "Line 3 is"),
        ("csv", TABLE + b'2,"', "Line 3 is"),
        ("fdc", b'{"FoundationFoods": [{"fdcId": 1}, {"description": "', "a food has no end"),
        ("fdc", b'{"FoundationFoods": [{"fdcId": 1}, ', "a food has no end"),
    ],
)
def test_a_line_of_ten_gigabytes_is_refused_by_its_number_and_needs_no_memory(
    kitchen: Kitchen, kind: str, start: bytes, where: str
) -> None:
    """The file is one on which the system keeps nothing but its length."""
    path = kitchen.folder / "endless"
    with path.open("wb") as file:
        file.write(start)
        file.truncate(10 * 1024 * MIB)
    more = ("--map", str(kitchen.folder / "map.toml")) if kind == "csv" else ()
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT, "import", kind, str(path), *more],
        env=environment(kitchen.settings),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert where in done.stderr, done.stderr
    assert int(done.stdout.splitlines()[-1]) < _MOST_MEMORY_MIB
    kitchen.check_nothing_changed()


def test_a_bundle_with_a_line_without_end_is_refused_by_its_number(kitchen: Kitchen) -> None:
    members = dict(BUNDLE, **{"food.csv": BUNDLE["food.csv"] + b"2," * 2 * MIB})
    assert "line 3 is longer than" in kitchen.refuse("fdc", make_zip(members, zipfile.ZIP_STORED))


def test_a_row_that_is_too_long_is_rejected_and_the_others_are_read(kitchen: Kitchen) -> None:
    data = TABLE + b"2," + b"a," * MIB + b"\n3,Pear,57\n"
    assert "3 records read: 2 accepted, 1 rejected." in printed(kitchen.take("csv", data))
    [rejection] = kitchen.rejections()
    assert rejection["record"] == {"line": 2, "error": "line 3 is longer than 1048576 characters"}
    assert kitchen.name_of("3") == "Pear"


# --- Odd texts


def test_formulas_are_text_and_nothing_else(kitchen: Kitchen) -> None:
    """No file for a spreadsheet is ever written, so nothing has to be defused: a name is what the source says."""
    name = '=HYPERLINK("http://example.org","Apple")'
    quoted = name.replace('"', '""')
    data = f'id,name,kcal\n1,"{quoted}",52\n2,@SUM(A1),52\n3,+1|calc,52\n'.encode()
    assert "3 accepted, 0 rejected" in printed(kitchen.take("csv", data))
    assert kitchen.name_of("1") == name


def test_bytes_that_are_no_utf_8_cost_their_own_record_alone(kitchen: Kitchen) -> None:
    for kind, data in (
        ("csv", b"\xef\xbb\xbfid,name,kcal\r\n1,Apple,52\r\n2,\xff\xfe,5\r\n3,Pear\xed\xa0\x80,5\r\n4,Plum,46\r\n"),
        (
            "off",
            b'{"code":"1","product_name":"A","nutriments":{"energy-kcal":5}}\r\n{"code":"2","product_name":"\xff"}\n',
        ),
    ):
        done = printed(kitchen.take(kind, data))
        assert "rejected: unreadable" in done
    assert kitchen.name_of("4") == "Plum"


def test_a_quote_that_never_closes_costs_what_is_behind_it_and_says_so(kitchen: Kitchen) -> None:
    done = printed(kitchen.take("csv", TABLE + b'2,"Pear,57\n' + b"3,Plum,46\n" * 10))
    assert "1 accepted, 1 rejected" in done
    [rejection] = kitchen.rejections()
    assert "unexpected end of data" in rejection["record"]["error"]


def test_control_characters_do_not_reach_the_catalogue(kitchen: Kitchen) -> None:
    printed(kitchen.take("csv", b"id,name,kcal\n1,Ap\x00p\x1b[31mle\x07,52\n"))
    assert kitchen.name_of("1").isprintable()
