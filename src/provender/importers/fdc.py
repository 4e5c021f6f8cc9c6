"""Imports FoodData Central: the CSV bundle as a zip or a folder, or the JSON files, also in a zip or a folder.

Foods are known by the code that lasts from release to release, never by `fdc_id`. Records with the same code are
brought together by a temporary database, so that memory stays flat.
"""

import io
import lzma
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import lru_cache, partial
from itertools import groupby
from math import inf
from operator import itemgetter
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from provender.importers.fdc_csv import LISTS, NEEDED, OPTIONAL, open_spill, read_bundle
from provender.importers.fdc_json import FdcFood, Portion, read_json
from provender.importers.fdc_nutrients import name_nutrients
from provender.importers.judge import judge
from provender.importers.opening import STANDARD_INPUT, Expansion, Input, UnreadableInput, WatchedFile
from provender.importers.records import LONGEST_WORDS, Accepted, Candidate, Outcome, Rejected
from provender.importers.sr28_portions import make_servings
from provender.model.foods import Serving, Unit, as_fraction
from provender.model.judging import Mend, Reason

# How many bytes have been read, of how many, where that is known.
Watch = Callable[[int, int | None], None]

# SR28, SR Legacy and Foundation number their foods alike; every other dataset is a source of its own.
_NUMBERED_BY_NDB = {"foundation": "usda", "sr_legacy": "usda"}
_NDB_DIGITS = 5

# MG, MC (micrograms) and IU are units of supplements: what a serving weighs does not follow from them.
_UNITS = {**dict.fromkeys(("g", "grm", "gm"), Unit.GRAM), **dict.fromkeys(("ml", "mlt"), Unit.MILLILITRE)}

# What a register of companies adds to a name: its number there, and how the firm is owned. "& Co." is part of a name.
_REGISTER_NUMBER = re.compile(r"[\s-]*\(?\d{8,14}\)?$")
_COMPANY_FORM = re.compile(
    r"(?<!&)(?<!and)[\s,]+(?:co|company|corp|corporation|gmbh|inc|incorporated|l\.?l\.?c|limited|llp|lp|ltd|plc"
    r"|s\.?a(?:\.? de c\.?v)?|s\.?p\.?a|s\.?r\.?l|spc)\.?$",
    re.IGNORECASE,
)
_NO_BRANDS = {"", "n/a", "no brand", "none", "not a branded item", "unbranded"}
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_SMALL_WORDS = {"AND", "DE", "FOR", "OF", "THE"}
_ACRONYMS = {"US", "USA"}

_HOUSEHOLD_MENDS = [
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\s+", " "),
        # Units as GS1 codes them.
        (r"\bonz\b", "oz"),
        (r"\boza\b", "fl oz"),
        (r"\b(?:grm?|gm)\b", "g"),
        (r"\bmlt\b", "ml"),
        (r"\bpcs?\b", "pieces"),
        (r"\bpkg\b", "package"),
        (r"^approx(?:\.|imately)?(?= )", "about"),
        (r",? per container$", ""),
        (r'(?<=\d) "', '"'),
        # Brackets whose partner was cut off.
        (r" \($", ""),
        (r"^([^()]*)\)$", r"\1"),
        (r"^(.*\([^()]*)$", r"\1)"),
    )
]
# The field holds 100 characters; more is not a measure.
_LONGEST_MEASURE = 100
_NO_MEASURE = re.compile(r"(?:amount )?per\b")
_DECIMAL = re.compile(r"^(about )?(\d*\.\d+)( (?:fl oz|g|ml|ounces?|oz)\b)?")
_SEVERAL_CUPS = re.compile(r"^(?!1 c)(\d+(?: \d/\d)?) cup\b")
# Measures of those who weighed the food before and after cooking it.
_WEIGHINGS = {"dripping w", "orig ckd g", "orig rw g", "paired cooked w", "paired raw w"}

_CHUNK = 1024 * 1024
_ENCRYPTED = 1

_ARRANGED = "CREATE TABLE arranged (dataset, key, available, modified, published, fdc_id, food BLOB)"
_NEWEST_FIRST = """
    SELECT dataset, key, food FROM arranged
    ORDER BY dataset, key, available DESC, modified DESC, published DESC, fdc_id DESC
"""
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(FdcFood).decode


def import_fdc(path: str, watch: Watch = lambda _read, _size: None) -> Iterator[Outcome]:
    """One outcome for every food of a bundle or of JSON files; `-` is a JSON file on standard input.

    The files are read before the first food is judged, since the newest record of a product may come last.
    """
    with ExitStack() as stack:
        try:
            yield from judge_newest(_read(path, stack, watch))
        except (OSError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError) as error:
            raise UnreadableInput(f"{path} cannot be read, or is damaged: {error}.") from error


def judge_newest(foods: Iterable[FdcFood | Rejected]) -> Iterator[Outcome]:
    """Judge foods in whatever order; of those of one dataset with the same key, the newest that can be is accepted."""
    with closing(open_spill()) as spill:
        spill.execute(_ARRANGED)
        spill.execute("BEGIN")
        for food in foods:
            key = None if isinstance(food, Rejected) else find_key(food)
            if isinstance(food, Rejected):
                yield food
            elif key is None:
                yield Rejected(Reason.NO_KEY, None, msgspec.to_builtins(food))
            else:
                days = [_parse_date(day) for day in (food.available_date, food.modified_date, food.publication_date)]
                row = (food.dataset, key, *(day and day.isoformat() for day in days), food.fdc_id, _encode(food))
                spill.execute("INSERT INTO arranged VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        for (_, key), rows in groupby(spill.execute(_NEWEST_FIRST), key=itemgetter(0, 1)):
            is_taken = False
            for food in (_decode(packed) for _, _, packed in rows):
                outcome = (
                    Rejected(Reason.SUPERSEDED, key, msgspec.to_builtins(food)) if is_taken else judge_food(food, key)
                )
                is_taken = is_taken or isinstance(outcome, Accepted)
                yield outcome


def find_key(food: FdcFood) -> str | None:
    """The code in its one spelling, or None: files leave out leading zeros, or add some."""
    digits = re.sub(r"[\s-]", "", food.code).lstrip("0")
    if not digits.isascii() or not digits.isdecimal():
        return None
    return digits.zfill(_NDB_DIGITS) if food.dataset in _NUMBERED_BY_NDB else digits


def judge_food(food: FdcFood, key: str) -> Outcome:
    named = name_nutrients(food.food_nutrient)
    is_branded = food.dataset == "usda_branded"
    candidate = Candidate(
        source=_NUMBERED_BY_NDB.get(food.dataset, food.dataset),
        dataset=food.dataset,
        # USDA's tables and US labels count fiber among the carbohydrates.
        by_difference=True,
        key=key,
        name=food.description,
        unit=_UNITS.get(food.serving_size_unit.strip().lower(), Unit.GRAM),
        brand=(tidy_brand(food.brand_name) or tidy_brand(food.brand_owner)) if is_branded else None,
        barcode=food.code.strip() if is_branded else None,
        nutrients=named.nutrients,
        energy_kj=named.energy_kj,
        salt_in_g=named.salt_in_g,
        servings=_read_label(food) if is_branded else _read_portions(food),
        released=_find_release(food),
    )
    outcome = judge(candidate, msgspec.to_builtins(food))
    if isinstance(outcome, Accepted) and named.is_atwater:
        return replace(outcome, mends=(*outcome.mends, Mend.ENERGY_FROM_ATWATER))
    return outcome


# --- Words


@lru_cache(maxsize=20_000)
def tidy_brand(name: str) -> str | None:
    """A brand or its owner as people write it, without what a register adds, and not in capitals."""
    name = _REGISTER_NUMBER.sub("", " ".join(name[:LONGEST_WORDS].split())).strip(" ,")
    if name.casefold() in _NO_BRANDS:
        return None
    while (shorter := _COMPANY_FORM.sub("", name)) != name:
        name = shorter.removeprefix("The ")
    name = name.strip(" ,")
    return name if any(letter.islower() for letter in name) else _WORD.sub(_capitalize, name) or None


def _capitalize(word: re.Match[str]) -> str:
    text = word[0]
    if word.start() and text in _SMALL_WORDS:
        return text.lower()
    if text in _ACRONYMS or (len(text) <= 3 and not re.search("[AEIOUY]", text)):
        return text
    # O'LAKES is a name behind a name, REESE'S is not.
    return (
        text.title() if text[1:2] == "'" else re.sub("^Mc(.)", lambda found: f"Mc{found[1].upper()}", text.capitalize())
    )


@lru_cache(maxsize=20_000)
def describe_household(text: str) -> str:
    """What a label calls a serving, the way people say it: "0.5 CUP" is "1/2 cup", "8 OZA" is "8 fl oz"."""
    if len(text) > LONGEST_WORDS:
        return "1 serving"
    measure, _, remark = (part.strip(" .,") for part in text.lower().partition("|"))
    for pattern, words in _HOUSEHOLD_MENDS:
        measure = pattern.sub(words, measure)
    if not measure or len(measure) > _LONGEST_MEASURE or _NO_MEASURE.match(measure):
        return "1 serving"
    measure = _SEVERAL_CUPS.sub(r"\1 cups", _DECIMAL.sub(_say_number, measure))
    # In older label files what stood before the number stands behind it: "2.5 CUPS) | (ABOUT".
    remark = remark.strip("() ")
    if remark in ("about", "approx", "approximately"):
        return f"about {measure}"
    return f"{measure} ({remark})" if remark and remark != "custom food" else measure


def _say_number(found: re.Match[str]) -> str:
    """A decimal as a fraction, unless it is a weight. Cakes are cut into 12; to cups `as_fraction` does not do that."""
    about, number, weighed = found.groups(default="")
    amount = float(number)
    fraction = Fraction(amount).limit_denominator(12)
    said = f"{amount:g}" if weighed else as_fraction(amount)
    if not weighed and "." in said and amount < 1 and abs(fraction - amount) < 0.001:
        said = str(fraction)
    return f"{about}{said}{weighed}"


def _read_label(food: FdcFood) -> Sequence[Serving]:
    if food.serving_size is None or food.serving_size_unit.strip().lower() not in _UNITS:
        return ()
    return (Serving(describe_household(food.household_serving_fulltext), food.serving_size),)


def _read_portions(food: FdcFood) -> Sequence[Serving]:
    portions = []
    for portion in sorted(food.food_portion, key=lambda portion: portion.seq_num):
        amount = 1.0 if portion.amount is None else portion.amount
        words = _join_words(portion)
        if 0 < len(words) <= LONGEST_WORDS and 0 < amount < inf and 0 < portion.gram_weight < inf:
            portions.append((portion.seq_num, amount, words, portion.gram_weight))
    if food.dataset != "fndds":
        return make_servings(portions)
    # FNDDS writes whole phrases, with the number in them.
    servings: dict[str, Serving] = {}
    for _, _, words, weight in portions:
        servings.setdefault(words, Serving(words, weight))
    return list(servings.values())


def _join_words(portion: Portion) -> str:
    """The measure and what is said about it, without the amount; empty where nobody measures so."""
    measure = portion.measure_unit.strip().lower()
    if measure in _WEIGHINGS or portion.portion_description.startswith("Quantity not specified"):
        return ""
    words = "" if measure in ("undetermined", "each") else measure
    for text in (portion.portion_description.strip(), portion.modifier.strip()):
        # FNDDS has a code where the others have words.
        if not text or text.isdecimal() or text == "NLEA":
            continue
        detail = f"({text})" if text[0].isdigit() and measure != "undetermined" else text
        if detail.istitle():
            detail = detail.lower()
        words += f"{'' if not words else ' ' if detail[0] == '(' else ', '}{detail}"
    return re.sub(",? NFS$", "", words) or measure.replace("undetermined", "")


# --- Dates


@lru_cache(maxsize=10_000)
def _parse_date(text: str) -> date | None:
    """The CSV files have 2019-04-01, the JSON files 4/1/2019."""
    try:
        if "/" in text:
            month, day, year = map(int, text.split("/"))
            return date(year, month, day)
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None


def _find_release(food: FdcFood) -> datetime | None:
    days = map(_parse_date, (food.publication_date, food.available_date, food.modified_date))
    day = next(filter(None, days), None)
    return None if day is None else datetime(day.year, day.month, day.day, tzinfo=UTC)


# --- Files


class _File(NamedTuple):
    """A file of a folder or a zip. Its names are compared and shown; no path on disk is made of them."""

    folder: str
    name: str
    size: int
    # How many bytes it has where it is kept, which are fewer where it is compressed.
    stored: int
    open: Callable[[], IO[bytes]]


def _read(path: str, stack: ExitStack, watch: Watch) -> Iterator[FdcFood | Rejected]:
    place = Path(path)
    if path == STANDARD_INPUT or not (place.is_dir() or zipfile.is_zipfile(place)):
        source = Input(path)
        stack.enter_context(closing(source.data))
        yield from read_json(_read_chunks(source.data, lambda: watch(source.position, source.size)), source.name)
        return
    files = _list_folder(place) if place.is_dir() else _list_zip(stack.enter_context(zipfile.ZipFile(place)))
    bundles = {file.folder for file in files if file.name in LISTS or file.name in NEEDED}
    if len(bundles) > 1:
        raise UnreadableInput(f"{path} has the CSV files of several bundles in it. Import them one by one.")
    wanted = (*LISTS, *NEEDED, *OPTIONAL)
    if bundles:
        files = [file for file in files if file.folder in bundles and file.name in wanted]
    else:
        files = [file for file in files if file.name.endswith(".json")]
    twice = [name for name, count in Counter(file.name for file in files).items() if count > 1]
    if bundles and twice:
        raise UnreadableInput(f"{path} has {' and '.join(twice)} more than once.")
    if not files:
        raise UnreadableInput(f"{path} has neither the CSV files of FoodData Central nor a JSON file of it.")
    progress = _Progress(watch, sum(file.size for file in files))
    if bundles:
        yield from read_bundle({file.name: partial(progress.open, file) for file in files})
        return
    for file in files:
        with progress.open(file) as opened:
            yield from read_json(_read_chunks(opened), file.name)


def _list_zip(archive: zipfile.ZipFile) -> list[_File]:
    files = []
    for info in archive.infolist():
        folder, _, name = info.filename.replace("\\", "/").rpartition("/")
        if name and not name.startswith(".") and not info.flag_bits & _ENCRYPTED:
            files.append(_File(folder, name.lower(), info.file_size, info.compress_size, partial(archive.open, info)))
    return files


def _list_folder(folder: Path) -> list[_File]:
    """The files in a folder and, as a bundle unpacks into a folder of its own, in those below it."""
    paths = sorted(path for pattern in ("*", "*/*") for path in folder.glob(pattern) if path.is_file())
    sizes = [path.stat().st_size for path in paths]
    return [
        _File(str(path.parent), path.name.lower(), size, size, partial(_open, path))
        for path, size in zip(paths, sizes, strict=True)
    ]


def _open(path: Path) -> IO[bytes]:
    return path.open("rb")


def _read_chunks(file: IO[bytes], report: Callable[[], None] = lambda: None) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk
        report()


class _Progress:
    """Counts what is read of several files."""

    def __init__(self, watch: Watch, size: int) -> None:
        self._watch, self._size, self._position = watch, size, 0

    def open(self, file: _File) -> IO[bytes]:
        expansion = Expansion(file.name)

        def add(count: int) -> None:
            expansion.add(count, file.stored)
            self._add(count)

        return io.BufferedReader(WatchedFile(file.open(), add), _CHUNK)

    def _add(self, count: int) -> None:
        self._position += count
        self._watch(self._position, self._size)
