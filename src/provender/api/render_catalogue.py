"""The catalogue, the report of its last import, and the provenance of foods, as they look on the wire."""

from collections.abc import Iterable, Mapping

import msgspec

from provender.api.answers import Answer
from provender.catalogue.folder import Manifest
from provender.catalogue.reports import ImportReport
from provender.model.judging import explain
from provender.model.times import to_ms
from provender.services.catalogue import KeptVersion
from provender.services.provenance import CatalogueProvenance, CustomProvenance

_encode = msgspec.json.Encoder().encode

_CUSTOM = "custom"


class DatasetAnswer(msgspec.Struct):
    """A dataset: its release, where the source tells one, and how many foods its records answer for."""

    name: str
    release: str | None
    foods: int
    imported_at: int


class VersionAnswer(msgspec.Struct):
    """A version that is kept. What cannot be read of it is null."""

    version: str
    created_at: int | None
    foods: int | None
    is_current: bool


class ImportSourceAnswer(msgspec.Struct):
    """What an import read: the kind of source, and the dataset in it, which is null where nothing was accepted."""

    kind: str
    dataset: str | None
    release: str | None


class RejectionAnswer(msgspec.Struct):
    """A reason, in a word and in a sentence, and how many records were rejected for it."""

    reason: str
    title: str
    records: int


class MendAnswer(msgspec.Struct):
    """What was put right, in a word and in a sentence, and in how many records."""

    mend: str
    title: str
    records: int


class ImportAnswer(msgspec.Struct):
    """The report of an import. Records that were accepted and rejected are together those that were read."""

    at: int
    sources: list[ImportSourceAnswer]
    read: int
    accepted: int
    rejected: int
    rejections: list[RejectionAnswer]
    mends: list[MendAnswer]
    took_s: float


class CatalogueAnswer(msgspec.Struct):
    """The food catalogue. Times are milliseconds since 1970."""

    version: str
    created_at: int
    foods: int
    listed: int
    barcodes: int
    datasets: list[DatasetAnswer]
    versions: list[VersionAnswer]
    last_import: ImportAnswer | None


class ProvenanceAnswer(msgspec.Struct):
    """Where a food is from. A custom food has none of what only a source can have: that is null."""

    id: str = msgspec.field(name="_id")
    source: str
    source_key: str | None
    source_name: str
    dataset: str | None
    release: str | None
    imported_at: int | None
    url: str | None
    license: str | None
    is_listed: bool
    calculated: list[str]
    profile_reference_id: str | None
    created_at: int


def catalogue(manifest: Manifest, versions: Iterable[KeptVersion]) -> Answer:
    answer = CatalogueAnswer(
        version=manifest.version,
        created_at=manifest.created_at,
        foods=manifest.foods,
        listed=manifest.listed,
        barcodes=manifest.barcodes,
        datasets=[DatasetAnswer(each.name, each.release, each.foods, each.imported_at) for each in manifest.datasets],
        versions=[
            VersionAnswer(each.version, each.created_at, each.foods, each.version == manifest.version)
            for each in versions
        ],
        last_import=_report(manifest.reports[-1]) if manifest.reports else None,
    )
    return Answer(_encode(answer))


def _report(report: ImportReport) -> ImportAnswer:
    return ImportAnswer(
        at=report.at,
        sources=[ImportSourceAnswer(each.kind, each.dataset, each.release) for each in report.sources],
        read=report.read,
        accepted=report.accepted,
        rejected=report.read - report.accepted,
        rejections=[RejectionAnswer(*counted) for counted in _explained(report.rejected)],
        mends=[MendAnswer(*counted) for counted in _explained(report.mends)],
        took_s=report.took_s,
    )


def _explained(counts: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """The most frequent first, whoever wrote the manifest."""
    return [(word, explain(word), counts[word]) for word in sorted(counts, key=lambda word: (-counts[word], word))]


def provenance(food_id: str, found: CatalogueProvenance | CustomProvenance) -> Answer:
    if isinstance(found, CustomProvenance):
        return Answer(_encode(_of_custom_food(food_id, found)))
    origin = found.origin
    answer = ProvenanceAnswer(
        id=food_id,
        source=origin.source,
        source_key=origin.source_key,
        source_name=origin.source_name,
        dataset=origin.dataset,
        release=found.release,
        imported_at=origin.imported_at,
        url=origin.url,
        license=origin.license,
        is_listed=origin.is_listed,
        calculated=origin.calculated,
        profile_reference_id=None,
        created_at=origin.created_at,
    )
    return Answer(_encode(answer))


def _of_custom_food(food_id: str, found: CustomProvenance) -> ProvenanceAnswer:
    return ProvenanceAnswer(
        id=food_id,
        source=_CUSTOM,
        source_key=None,
        source_name="Custom food",
        dataset=None,
        release=None,
        imported_at=None,
        url=None,
        license=None,
        # Search finds it for its profile.
        is_listed=True,
        calculated=[],
        profile_reference_id=found.reference_id,
        created_at=to_ms(found.created_at),
    )
