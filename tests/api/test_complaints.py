"""What the log says of a storage that fails, when very many requests meet it."""

import logging

import pytest

from provender.api.logs import Complaints


def test_it_is_said_at_once_and_then_now_and_then_with_a_count(caplog: pytest.LogCaptureFixture) -> None:
    now = 100.0
    complaints = Complaints(lambda: now)
    with caplog.at_level(logging.ERROR):
        for number in range(1000):
            complaints.say("The disk is full.", f"request-{number}")
        complaints.say("The database does not answer.", "other")
        now += 11
        complaints.say("The disk is full.", "later")
        complaints.say("The disk is full.", "later still")
    assert [(record.getMessage(), record.__dict__["request_id"]) for record in caplog.records] == [
        ("The disk is full.", "request-0"),
        ("The database does not answer.", "other"),
        ("The disk is full. The same for 999 requests since it was last said.", "later"),
    ]
