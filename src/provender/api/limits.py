"""What a key with a limit is told with every answer, and when it is one request too many."""

from provender.api.exchange import Exchange
from provender.model.errors import TooManyRequests
from provender.services.quotas import Quota


def count_request(exchange: Exchange, quota: Quota) -> None:
    taken = quota.take()
    exchange.more_headers += (
        (b"ratelimit-limit", b"%d" % taken.limit),
        (b"ratelimit-remaining", b"%d" % taken.remaining),
        (b"ratelimit-reset", b"%d" % taken.reset_s),
    )
    if taken.wait_s:
        raise TooManyRequests(
            f"This key may send {taken.limit} requests a minute. Send this one again in {taken.wait_s} s.",
            taken.wait_s,
        )
