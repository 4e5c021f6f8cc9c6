"""`python -m tests.fuzzing`: as many made-up requests as one has the patience for. `make fuzz` runs it."""

import argparse
import random
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from provender.catalogue.build import Build
from provender.catalogue.folder import CatalogueFolder
from provender.settings import Settings
from tests.fuzzing.run import target
from tests.pantry import PANTRY

# The server writes its log a little later.
_LOG_LAGS_S = 1


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("--examples", type=int, default=2000, help="for each route [%(default)s]")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32), help="of a run to repeat [a new one]")  # noqa: S311
    parser.add_argument("--database-url", help="of an empty PostgreSQL database [SQLite]")
    options, more = parser.parse_known_args()
    with tempfile.TemporaryDirectory(prefix="provender-fuzzing-") as name:
        folder = Path(name)
        settings = Settings(data_dir=folder / "data", database_url=options.database_url)
        settings.data_dir.mkdir(mode=0o700)
        with Build(CatalogueFolder(settings.data_dir / "catalogue"), datetime(2026, 1, 1, tzinfo=UTC)) as build:
            build.add(PANTRY, release="1")
            build.finish()
        with target(settings, folder) as attacked:
            exit_code, output = attacked.attack(*more, examples=options.examples, seed=options.seed)
            time.sleep(_LOG_LAGS_S)
            answers = attacked.answers()
    sys.stdout.write(output)
    for (route, status), times in sorted(answers.items(), key=str):
        sys.stdout.write(f"{status} {route}: {times}\n")
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
