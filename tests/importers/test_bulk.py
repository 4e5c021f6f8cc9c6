"""Real products of Open Food Facts of 2019, as an operator's own table: every one of them is accounted for."""

import io
import lzma
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from provender.importers.records import Accepted
from provender.importers.table import read_table
from provender.importers.table_map import read_map

FILE = Path(__file__).parents[2].parent / "shared" / "data" / "off" / "products_2019_818776.tsv.xz"

MAP = """
source = "off2019"
basis = "100g"
delimiter = "\\t"

[columns]
key = "barcode"
name = "product_name"
barcode = "barcode"

[nutrients]
total_fat_in_gm = "fat"
saturated_fat_g = "saturated_fat"
total_carbohydrates_in_gm = "carbohydrate"
sugars_in_g = "sugar"
fiber_in_g = "fiber"
total_protein_in_gm = "protein"
salt_in_g = "salt"
alcohol_in_gm = "alcohol"
"""


def test_a_large_table_is_read_to_its_last_record() -> None:
    """The first 100,000 of 818,776: all of them would take half a minute."""
    if not FILE.exists():
        pytest.skip("the file of 818,776 products is not beside the checkout")
    outcomes: Counter[str] = Counter()
    barcodes = 0
    with lzma.open(FILE) as whole:
        file = io.BytesIO(b"".join(islice(whole, 100_001)))
        for outcome in read_table(file, read_map(MAP)):
            if isinstance(outcome, Accepted):
                outcomes["accepted"] += 1
                barcodes += outcome.food.barcode is not None
            else:
                outcomes[outcome.reason.value] += 1
    # The file has no energy, so a product that lacks one of the macros has none either.
    assert outcomes == {
        "accepted": 94_527,
        "no_energy": 5_207,
        "macros_over_105_g": 229,
        "more_than_100_g": 31,
        "negative_value": 5,
        "no_name": 1,
    }
    assert outcomes.total() == 100_000
    assert barcodes == 94_527 - 123
