"""The faults of one request, gathered while its parameters are read."""

from provender.model.errors import Fault, InvalidParameters

# So many are listed in one answer.
MAX_FAULTS = 25


class Faults:
    """The faults found so far; looking for more ends when there are as many as are listed."""

    __slots__ = ("_prefix", "_since", "found")

    def __init__(self, found: list[Fault] | None = None, prefix: str = "") -> None:
        self.found = [] if found is None else found
        self._since = len(self.found)
        self._prefix = prefix

    def within(self, param: str) -> "Faults":
        """The same faults for the reading of one item of a list, whose parameters are then named `param.name`."""
        return Faults(self.found, f"{self._prefix}{param}.")

    def add(self, param: str, code: str, message: str) -> None:
        self.found.append(Fault(f"{self._prefix}{param}", code, message))
        if len(self.found) >= MAX_FAULTS:
            self.raise_any()

    def raise_any(self) -> None:
        if self.found:
            raise InvalidParameters(self.found)

    @property
    def any_here(self) -> bool:
        return len(self.found) > self._since

    def faulty(self) -> set[str]:
        """The parameters, of this item where it is one, that have faults."""
        if not self.found:
            return set()
        start = len(self._prefix)
        return {fault.param[start:].partition("[")[0] for fault in self.found[self._since :]}
