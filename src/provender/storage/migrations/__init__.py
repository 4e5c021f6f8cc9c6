"""The schema, as numbered steps that are applied in order and never changed once released."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from provender.model.errors import SchemaTooNew

_NAME = re.compile(r"(\d{4})_(\w+)\.sql")

_STATEMENT = re.compile(r"^(?!--)\S", re.MULTILINE)

# From such a line to the next, or to the end of the file, is for one engine.
_PART = re.compile(r"^-- Only on (\w+):\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    template: str

    def sql(self, words: Mapping[str, str]) -> str:
        """The statements in one engine's own words, without those that are for another engine only."""
        everywhere, *parts = _PART.split(self.template)
        ours = [part for engine, part in zip(parts[::2], parts[1::2], strict=True) if engine == words["engine"]]
        text = re.sub(r"\{(\w+)\}", lambda match: words[match[1]], "".join([everywhere, *ours]))
        # Comments alone are no statement, and not every driver takes them for none.
        return text if _STATEMENT.search(text) else ""


@cache
def migrations() -> tuple[Migration, ...]:
    found = [
        Migration(int(match[1]), match[2], file.read_text(encoding="utf-8"))
        for file in resources.files(__name__).iterdir()
        if (match := _NAME.fullmatch(file.name))
    ]
    return tuple(sorted(found, key=lambda migration: migration.number))


def refuse_newer(version: int) -> None:
    """An older program cannot know what a newer schema means."""
    newest = migrations()[-1].number
    if version > newest:
        raise SchemaTooNew(
            f"The storage has schema {version}; this Provender knows schemas up to {newest}. Start the release that "
            "wrote it, or a later one."
        )


def pending(version: int, wanted: int | None = None) -> tuple[Migration, ...]:
    """The migrations that storage of this version still lacks, up to the wanted one where that is not the newest."""
    refuse_newer(version)
    lacking = (migration for migration in migrations() if migration.number > version)
    return tuple(migration for migration in lacking if wanted is None or migration.number <= wanted)
