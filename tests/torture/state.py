"""What a caller knows of the storage, and what a write that was or was not carried out makes of it."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# Whose it is, what it is, and its id: ("alice", "log", "0KMkYITI8ZMnsMlK").
Key = tuple[str, str, str]
Content = dict[str, Any]
State = dict[Key, Content]


class Loss(AssertionError):
    """Something that was answered is not there, or something is half there."""


@dataclass
class Change:
    """What a write changes, as a whole."""

    # Things whose ids the server makes, by owner and kind, in the order of the answer.
    added: list[tuple[str, str, Content]] = field(default_factory=list)
    # Things whose ids are known before.
    put: State = field(default_factory=dict)
    removed: set[Key] = field(default_factory=set)

    def owners(self) -> set[str]:
        return {owner for owner, _, _ in [*self.added, *self.put, *self.removed]}

    def apply(self, state: State) -> State:
        """The state afterwards, but for what was added."""
        return {key: content for key, content in state.items() if key not in self.removed} | self.put


def difference(state: State, change: Change, found: Mapping[Key, Content]) -> str | None:
    """What sets what was found apart from the state after the change; None where nothing does."""
    expected = change.apply(state)
    lacking = [key for key in expected if key not in found]
    other = [key for key in expected if key in found and _text(found[key]) != _text(expected[key])]
    more = Counter((key[0], key[1], _text(content)) for key, content in found.items() if key not in expected)
    wanted = Counter((owner, kind, _text(content)) for owner, kind, content in change.added)
    if not lacking and not other and more == wanted:
        return None
    lines = [f"  is not there: {key} {_text(expected[key])}" for key in lacking]
    lines += [f"  is different: {key} {_text(found[key])} instead of {_text(expected[key])}" for key in other]
    lines += [f"  is there besides: {each}" for each in (more - wanted).elements()]
    lines += [f"  was not added: {each}" for each in (wanted - more).elements()]
    return "\n".join(lines[:20])


def _text(content: Content) -> str:
    """JSON may have 1 for 1.0."""
    return json.dumps(json.loads(json.dumps(content), parse_int=float), sort_keys=True, ensure_ascii=False)
