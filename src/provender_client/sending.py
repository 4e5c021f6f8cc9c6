"""When a request is sent again, and how long is waited before. Nothing here sends or sleeps: the drivers do.

Every request of the API may be sent again without harm: POSTs carry an `Idempotency-Key`, and the others ask for the
same state once more.
"""

from __future__ import annotations

import logging
import random

import httpx

from provender_client.answered import answered_error, request_line, retry_after_s, without_keys
from provender_client.errors import ConnectionFailed, NotFound, ProvenderError, TimedOut

_log = logging.getLogger("provender_client")

Outcome = httpx.Response | httpx.RequestError

# 502 and 504 are a proxy's. A 500 is a fault that the next try would meet again.
_WORTH_ANOTHER_TRY = frozenset({429, 502, 503, 504})
_FIRST_WAIT_S = 0.5
_LONGEST_BACKOFF_S = 8.0
# What is wrong with the request itself stays wrong.
_OUR_OWN_FAULT = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)
# Whoever is told to wait for longer than this is better told so than kept waiting.
_LONGEST_WAIT_S = 60.0


class Tries:
    """The tries of one call, and what is to be made of each."""

    def __init__(self, max_retries: int) -> None:
        self._left = max_retries
        self._made = 0
        self._may_be_done = False

    def judge(self, outcome: Outcome) -> httpx.Response | float:
        """A good answer, or how many seconds to wait before the next try. All else is raised."""
        if isinstance(outcome, httpx.Response) and outcome.is_success:
            return outcome
        wait_s = _wait_s(outcome, self._made)
        if self._left <= 0 or wait_s is None:
            raise self._error(outcome) from (outcome if isinstance(outcome, httpx.RequestError) else None)
        self._left -= 1
        self._made += 1
        self._may_be_done = self._may_be_done or not _was_refused(outcome)
        # Whoever wonders why a call took long finds it here. A path may name a user, so it is left out.
        what = outcome.status_code if isinstance(outcome, httpx.Response) else type(outcome).__name__
        _log.info("%s: %s, sent again in %.1f s", outcome.request.method, what, wait_s)
        return wait_s

    def _error(self, outcome: Outcome) -> ProvenderError:
        if isinstance(outcome, httpx.RequestError):
            return unanswered_error(outcome, self._made + 1)
        error = answered_error(outcome)
        if self._may_be_done and isinstance(error, NotFound) and outcome.request.method == "DELETE":
            error.add_note("An earlier try of this request got no answer. It may have been the one that deleted it.")
        return error


def _wait_s(outcome: Outcome, tries: int) -> float | None:
    """How long to wait before the next try, or None where there is no sense in one."""
    if isinstance(outcome, httpx.Response):
        if outcome.status_code not in _WORTH_ANOTHER_TRY:
            return None
        told = retry_after_s(outcome)
        if told is not None:
            # All who were told the same would otherwise come back in the same moment.
            return None if told > _LONGEST_WAIT_S else told + random.uniform(0, 0.1 * told)  # noqa: S311
    elif not isinstance(outcome, httpx.TransportError) or isinstance(outcome, _OUR_OWN_FAULT):
        return None
    longest = min(_LONGEST_BACKOFF_S, _FIRST_WAIT_S * 2**tries)
    return random.uniform(longest / 2, longest)  # noqa: S311 - No secret is drawn here.


def _was_refused(outcome: Outcome) -> bool:
    """Whether it is certain that nothing was carried out."""
    if isinstance(outcome, httpx.Response):
        return outcome.status_code == 429
    return isinstance(outcome, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))


def unanswered_error(error: httpx.RequestError, tries: int = 1) -> ProvenderError:
    """The error that a request without an answer, or with half of one, stands for."""
    request = request_line(error.request)
    if isinstance(error, httpx.TimeoutException):
        return TimedOut(f"{request}: no answer in time ({type(error).__name__}).{_tried(tries)}", request=request)
    # Of an answer that is no HTTP, some of these repeat what came.
    what = without_keys(error.request, str(error)) or type(error).__name__
    return ConnectionFailed(f"{request}: {what}{_tried(tries)}", request=request)


def _tried(tries: int) -> str:
    return f" ({tries} tries)" if tries > 1 else ""
