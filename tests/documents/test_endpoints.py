"""Every operation of the API is shown on a reference page, with a request and its real answer."""

from tests.documents.pages import read_steps
from tests.documents.requests import Operation, find_operation, operations
from tests.documents.test_pages import REFERENCES


def _shown() -> set[Operation]:
    """Those that some page shows with an answer that is no error. That the answer is real, `test_pages` sees."""
    return {
        operation
        for page in REFERENCES
        for step in read_steps(page)
        if step.answer and not step.answer[0].text.startswith('{"type":"/docs/errors#')
        for command in step.commands
        if (operation := find_operation(command.text)) is not None
    }


def test_every_operation_is_shown_with_a_request_and_its_answer() -> None:
    assert sorted(operations() - _shown()) == []
