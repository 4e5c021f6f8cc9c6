"""What of requests is counted by itself: the routes of the table, and the statuses that they can answer."""

from collections.abc import Sequence
from http import HTTPStatus

from provender.api.errors import public_errors, status_of
from provender.api.exchange import CLIENT_GONE
from provender.api.routing import AnyRoute
from provender.metrics.sheet import Layout

# What is answered without being declared: what a page may send, that nothing has changed, and where the documents are.
_OTHERS = (
    HTTPStatus.NO_CONTENT,
    HTTPStatus.SEE_OTHER,
    HTTPStatus.NOT_MODIFIED,
    HTTPStatus.TEMPORARY_REDIRECT,
    CLIENT_GONE,
)


def layout_of(table: Sequence[AnyRoute]) -> Layout:
    answers = {status for route in table for status in route.answers}
    errors = {int(status_of(error)) for error in public_errors()}
    return Layout(len(table), tuple(sorted(answers | errors | set(map(int, _OTHERS)))))
