"""The reports of imports, as a version's manifest keeps them: what each read, and what became of it."""

from collections.abc import Collection, Sequence

import msgspec

# A report has about a kilobyte, and a manifest is read with every look at the metrics.
MOST_REPORTS = 100


class ImportSource(msgspec.Struct):
    """One dataset of a source; the dataset is None where no record was accepted."""

    kind: str
    dataset: str | None
    release: str | None


class ImportReport(msgspec.Struct):
    """One import. Its foods have its time, `at`, as the one at which they were imported."""

    at: int
    sources: list[ImportSource]
    accepted: int
    # How many records were rejected for each reason, and mended in each way; the words are those of `model/judging`.
    rejected: dict[str, int]
    mends: dict[str, int]
    is_partial: bool = False
    is_replacing: bool = False
    took_s: float = 0.0

    @property
    def read(self) -> int:
        return self.accepted + sum(self.rejected.values())


def carry_on(reports: Sequence[ImportReport], imported: Collection[tuple[str, int]]) -> list[ImportReport]:
    """Of all reports, oldest first, those that a new version keeps: the last, each dataset's latest, and its records'.

    `imported` has the datasets of all its records with the times that they were imported at.
    """
    kept: list[ImportReport] = []
    seen: set[str] = set()
    for report in reversed(reports):
        datasets = {source.dataset for source in report.sources if source.dataset is not None}
        if not kept or datasets - seen or any((dataset, report.at) in imported for dataset in datasets):
            kept.append(report)
        seen |= datasets
    return kept[:MOST_REPORTS][::-1]
