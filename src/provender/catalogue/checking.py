"""Checks a version before it is used."""

from pathlib import Path
from typing import Any

import apsw
import msgspec

from provender.catalogue.folder import Manifest
from provender.catalogue.fragments import Fragments, close_core
from provender.model.errors import CatalogueUnavailable

# In the order of rank, so that the file is read from its beginning to its end; the limit is there to keep the order.
_LOST = """
    SELECT count(*) FROM (SELECT food FROM barcodes ORDER BY food LIMIT -1) AS claimed
    WHERE NOT EXISTS (SELECT 1 FROM foods WHERE foods.rank = claimed.food)
"""

# As many values as a food has pieces. To know that they are whole JSON, nothing need be made of them.
_read_past = msgspec.json.Decoder(tuple[(msgspec.Raw,) * len(Fragments._fields)]).decode  # type: ignore[misc]


def check(path: Path, manifest: Manifest) -> None:
    """Refuse a version that is not whole: wrong counts, a barcode that leads nowhere, a fragment that is no JSON."""
    foods = apsw.Connection(
        f"{path.absolute().as_uri()}?mode=ro", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )
    try:
        [(count,)] = _read(foods, "SELECT count(*) FROM foods WHERE chosen")
        [(lost,)] = _read(foods, _LOST)
        if count != manifest.foods or lost:
            raise CatalogueUnavailable(f"The new catalogue is not whole: {count} foods, {lost} barcodes lead nowhere.")
        rows: Any = foods.execute(f"SELECT created_at, updated_at, {', '.join(Fragments._fields)} FROM foods")
        for created_at, updated_at, core, *pieces in rows:
            text = b"[%b},%b]" % (close_core(core, created_at, updated_at), b",".join(pieces))
            _read_past(text)
            # It passes over letters as well.
            text.decode()
    except (apsw.Error, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CatalogueUnavailable(f"The new catalogue is not whole: {error}.") from error
    finally:
        foods.close()


def _read(foods: apsw.Connection, sql: str) -> list[Any]:
    return foods.execute(sql).fetchall()
