"""Every operation of the API is shown on a reference page, with a request and its real answer."""

from tests.documents.pages import read_steps
from tests.documents.requests import Operation, find_operation, operations
from tests.documents.test_pages import REFERENCES

# Operations without one, and why. None, once the pages of those that are new are written.
NOT_SHOWN: dict[Operation, str] = {
    ("GET", "/v1/keys"): "its page is being written",
    ("POST", "/v1/keys"): "its page is being written",
    ("DELETE", "/v1/keys/{key_id}"): "its page is being written",
    ("GET", "/v1/usage"): "its page is being written",
    ("GET", "/v1/catalogue"): "its page is being written",
    ("GET", "/v1/foods/{food_id}/provenance"): "its page is being written",
}


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
    missing = operations() - _shown()
    assert sorted(missing - NOT_SHOWN.keys()) == []


def test_no_operation_is_excused_that_is_shown() -> None:
    assert sorted(NOT_SHOWN.keys() & _shown()) == []
