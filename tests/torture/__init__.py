"""Nothing is lost: many callers write, something is killed in the middle, and what was answered is there afterwards.

`make torture` runs it for long, `tests/system/test_torture.py` for a moment.

    wire.py       HTTP, as little of it as callers need
    state.py      what a caller knows of the storage, and how a write would change it
    writes.py     the writes a caller may send, each with what it changes
    caller.py     a caller: writes, keeps the ledger, and finds out about writes that were not answered
    counting.py   eaten lists and sums against a fresh count of the logs
    postgresql.py a PostgreSQL server that can be killed, stopped and held up
    rounds.py     the rounds: load, a kill, a restart, and the reckoning
"""
