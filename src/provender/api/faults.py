"""The faults of one request, gathered while its parameters are read."""

from provender.model.errors import Fault, InvalidParameters

# So many are listed in one answer.
MAX_FAULTS = 25


class Faults:
    """The faults found so far; looking for more ends when there are as many as are listed."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, param: str, code: str, message: str) -> None:
        self.found.append(Fault(param, code, message))
        if len(self.found) >= MAX_FAULTS:
            self.raise_any()

    def raise_any(self) -> None:
        if self.found:
            raise InvalidParameters(self.found)
