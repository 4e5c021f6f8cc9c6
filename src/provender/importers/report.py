"""The report of an import, in which every record is accounted for."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from provender.importers.records import Outcome, Rejected
from provender.model.foods import Food
from provender.model.judging import Mend, Reason


@dataclass(slots=True)
class Report:
    """What became of the records: accepted + rejected = read, always."""

    accepted: int = 0
    rejected: Counter[Reason] = field(default_factory=Counter)
    mends: Counter[Mend] = field(default_factory=Counter)

    @property
    def read(self) -> int:
        return self.accepted + self.rejected.total()

    def add(self, other: "Report") -> None:
        """Count what another has counted after this one."""
        self.accepted += other.accepted
        self.rejected.update(other.rejected)
        self.mends.update(other.mends)


_encode = msgspec.json.Encoder(enc_hook=str).encode


def accept(
    outcomes: Iterable[Outcome], report: Report, reject: Callable[[bytes], object], watch: Callable[[Report], None]
) -> Iterator[Food]:
    """The foods among the outcomes; the others are written as lines of JSON. Both are counted."""
    for outcome in outcomes:
        if isinstance(outcome, Rejected):
            report.rejected[outcome.reason] += 1
            line = {"reason": outcome.reason.value, "key": outcome.key, "record": outcome.record}
            reject(_encode(line) + b"\n")
        else:
            report.accepted += 1
            for mend in outcome.mends:
                report.mends[mend] += 1
            yield outcome.food
        watch(report)
