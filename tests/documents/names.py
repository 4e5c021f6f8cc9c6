"""What a page calls the things that are different in every run: ids, keys, versions, and the days around today."""

import contextlib
import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta

# In these two, ids of what callers make have been beginning since 2025, and will be until 2070. All other ids are made
# of content: those of the catalogue are the same everywhere, so a page must have the right ones.
_MADE_ID = r"\b0[K-Z][0-9A-Za-z]{14}\b"
_ENTITY_TAG = r'"[0-9a-f]{16}\.[0-9a-f]{11}\.[0-9a-f]+"'
_TIME = r"\b1[7-9]\d{11}\b"
_DAY = r"\b\d{4}-\d\d-\d\d\b"

# These are names: what is called so once is called so on the whole page.
_NAMES = {
    "id": _MADE_ID,
    "tag": _ENTITY_TAG,
    "key": r"\bpv_[0-9A-Za-z]{8}",
    "catalogue": r"\b\d{8}T\d{6}Z-\d{3}\b",
}
_SHAPES = {
    **_NAMES,
    "time": _TIME,
    "day": _DAY,
    "request": r"\b[0-9a-f]{20}\b",
    "moment": r"\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT",
    "instant": r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)",
    "minute": r"\b\d\d:\d\d UTC\b",
    "import": r"\b\d{8}T\d{6}\.\d{6}Z\b",
    "seconds": r"\b\d+\.\d+ s\b",
    "size": r"\b\d+\.\d [kMG]B\b",
    # Tests have catalogues that are quicker to make.
    "foods": r"(?<=: )\d+(?= foods\.)",
    # Every release may have another one.
    "schema": r"(?<=schema )\d+|(?<=schemas up to )\d+",
    "version": r"(?<=Provender )\d+\.\d+\.\d+",
    "anything": "…",
}
_VARYING = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _SHAPES.items()))

# Further from the page's today than this, a date is one that the page has chosen for other reasons.
_NEAR = timedelta(days=7)


def _day_of_page(page: str) -> date | None:
    """That of the latest moment that it shows, or else the one that it names most."""
    moments = [datetime.fromtimestamp(int(found) / 1000, UTC).date() for found in re.findall(_TIME, page)]
    moments += map(date.fromisoformat, re.findall(r"\b\d{4}-?\d\d-?\d\d(?=T\d\d)", page))
    if moments:
        return max(moments)
    days: Counter[date] = Counter()
    for shown in re.findall(_DAY, page):
        # Some pages show what happens with a day that the calendar does not have.
        with contextlib.suppress(ValueError):
            days[date.fromisoformat(shown)] += 1
    return days.most_common(1)[0][0] if days else None


class Names:
    """From the words of a page to those of this run of it, learned from one answer after the other."""

    def __init__(self, page: str, today: date) -> None:
        self._day = _day_of_page(page) or today
        self._since = today - self._day
        self._real: dict[str, str] = {}

    def copy(self) -> "Names":
        other = Names("", self._day + self._since)
        other._day, other._since, other._real = self._day, self._since, dict(self._real)
        return other

    def learn(self, shown: str, real: str) -> bool:
        """Whether the one can stand for the other: neither of them has stood for something else before."""
        if shown not in self._real and real in self._real.values():
            return False
        return self._real.setdefault(shown, real) == real

    def in_command(self, command: str) -> str:
        """The command as it has to be typed in this run."""
        for shown, real in self._real.items():
            command = command.replace(shown, real)
        return re.sub(_DAY, lambda found: self._day_of(found[0]), command)

    def are_alike(self, shown: str, real: str) -> bool:
        """Whether a text of the page stands for this one: the same, but for what differs from run to run."""
        found = list(_VARYING.finditer(shown))
        pattern, end = "", 0
        for one in found:
            pattern += re.escape(shown[end : one.start()]) + f"({self._pattern(one)})"
            end = one.end()
        match = re.fullmatch(pattern + re.escape(shown[end:]), real, re.DOTALL)
        return match is not None and all(
            self.learn(one[0], part) for one, part in zip(found, match.groups(), strict=True) if one.lastgroup in _NAMES
        )

    def _pattern(self, found: re.Match[str]) -> str:
        match found.lastgroup:
            case "anything":
                return ".*"
            case "day":
                return re.escape(self._day_of(found[0]))
            case shape:
                # What stands before it has been compared already.
                return re.sub(r"\(\?<=[^)]*\)", "", _SHAPES[str(shape)])

    def _day_of(self, shown: str) -> str:
        try:
            day = date.fromisoformat(shown)
        except ValueError:
            # One that the calendar does not have, to show what happens then.
            return shown
        return str(day + self._since if abs(day - self._day) <= _NEAR else day)
