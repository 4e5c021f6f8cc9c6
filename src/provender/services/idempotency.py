"""Requests that are sent again under the same Idempotency-Key: answered again, and written once."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from provender.model.errors import IdempotencyKeyReused
from provender.model.idempotency import KeptAnswer, KeyedRequest
from provender.storage import idempotency
from provender.storage.engine import Engine, Operation, Statements
from provender.storage.store import Store

# The status and the body of the answer to a request, from what the request's transaction has returned.
Render = Callable[[Any], tuple[int, bytes]]


class AnsweredBefore(Exception):
    """Not an error: while this request was on its way, an equal one was answered, and this one gets the same answer."""

    def __init__(self, answer: KeptAnswer) -> None:
        super().__init__("An equal request was answered before.")
        self.answer = answer


async def find_answer(store: Store, request: KeyedRequest, now: datetime) -> KeptAnswer | None:
    """The answer that an equal request got; whoever used the key for something else is told so."""
    kept = await idempotency.find_answer(store, request, now)
    return None if kept is None else _same(kept, request)


def once(store: Store, request: KeyedRequest, owners: Sequence[str], render: Render, now: datetime) -> Store:
    """The same store, for the one transaction of this request: it happens once, and its answer is kept with it.

    `owners` are the reference_ids of the profiles that it writes to. They must be there at its end, so that the answer
    can go when one of them goes. `render` runs inside the transaction, perhaps in another thread and perhaps more than
    once, so it must be pure.
    """

    def wrap(operation: Operation[Any]) -> Operation[Any]:
        async def run(statements: Statements) -> Any:
            kept = await idempotency.claim(statements, request, now)
            if kept is not None:
                raise AnsweredBefore(_same(kept, request))
            result = await operation(statements)
            status, body = render(result)
            await idempotency.keep(statements, request, owners, status=status, body=body)
            return result

        return run

    return store.wrapped(wrap)


def _same(kept: KeptAnswer, request: KeyedRequest) -> KeptAnswer:
    if kept.fingerprint != request.fingerprint:
        raise IdempotencyKeyReused
    return kept


async def clear_expired_answers(engine: Engine, now: datetime) -> None:
    """Clear away every answer that was kept for long enough, in small steps."""
    more = await idempotency.has_expired(engine, now)
    while more:
        more = await engine.transaction(lambda statements: idempotency.clear_expired(statements, now))
