"""A process that writes the index of search into a file of its own, while another one writes the foods.

It is started as `python -m provender.catalogue.indexer ARRANGED BUILT [BASE]`, and says nothing if all went well.
"""

import sys
from pathlib import Path

import apsw

from provender.catalogue.indexing import index
from provender.catalogue.processes import end_with_the_starter, leave_signals_to_the_starter
from provender.catalogue.staging import open_for_writing

_CACHE_KB = 32768


def main() -> None:
    leave_signals_to_the_starter()
    end_with_the_starter()
    arranged, built, *base = sys.argv[1:]
    try:
        connection = open_for_writing(Path(built), _CACHE_KB)
        connection.execute("ATTACH ? AS arranged", (arranged,))
        for uri in base:
            connection.execute("ATTACH ? AS base", (uri,))
        connection.execute("BEGIN")
        index(connection, has_base=bool(base))
        connection.execute("COMMIT")
        connection.close()
    except apsw.Error as error:
        sys.stdout.write(str(error))


if __name__ == "__main__":
    main()
