"""Runs schemathesis as a command, against a server of our own: every check, every phase, always the same seed."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provender.settings import Settings
from tests.fuzzing.stage import REQUEST_ID, Stage, set_up
from tests.system.commands import call, environment, printed
from tests.system.server import Server, serving

SEED = 20260310
# Of `make test`; `make fuzz` has thousands.
EXAMPLES = 20
CONFIGURATION = "schemathesis.toml"

# How often a parameter gets a value that leads somewhere. In the other cases it is made up.
_KNOWN = 0.8

_BOUND = {
    "profile": (
        "path.reference_id", "query.profile_reference_id", "body.profile_reference_id",
        "body.logs[*].profile_reference_id",
    ),
    "food": ("path.food_id", "body.food_id", "body.logs[*].food_id", "body.items[*].food_id"),
    "log": ("path.log_id",),
    "meal": ("path.meal_id",),
    "key": ("path.key_id",),
    "barcode": ("query.barcode", "body.barcode"),
    "timezone": ("body.timezone",),
}  # fmt: skip

# What is different for one operation.
_BOUND_OF = {
    "delete_profile": {"profile-to-delete": "path.reference_id"},
    "delete_custom_food": {"own-food-to-delete": "path.food_id"},
    "delete_log": {"log-to-delete": "path.log_id"},
    "delete_meal": {"meal-to-delete": "path.meal_id"},
    "change_custom_food": {"own-food": "path.food_id"},
    "remove_favorite": {"own-food": "path.food_id"},
}


@dataclass(frozen=True)
class Target:
    """A server that made-up requests are sent to, with what they find there."""

    server: Server
    folder: Path

    def attack(self, *more: str, examples: int = EXAMPLES, seed: int = SEED) -> tuple[int, str]:
        """Run schemathesis, with these options besides; its exit code, and what it says."""
        found = {"NO_COLOR": "1", "COLUMNS": "120", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        done = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(self.folder / CONFIGURATION)),
                *("run", f"{self.server.url}/openapi.json", "--seed", str(seed), "--max-examples", str(examples)),
                *("--checks", "all", "--warnings", "off", *more),
            ],
            cwd=self.folder,
            env=environment() | found,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    def answers(self) -> Counter[tuple[str, int]]:
        """How often each route gave each status, by the server's own log, which lags behind for a moment."""
        return Counter(
            (f"{line['method']} {line['route']}", line["status"]) for line in _read_requests(self.server.stderr)
        )


@contextmanager
def target(settings: Settings, folder: Path) -> Iterator[Target]:
    """`folder` is for what it needs and leaves behind."""
    with serving(settings, log_folder=folder) as server:
        # One that may do everything there is.
        made = call("keys", "create", "--application", "fuzzing", "--scope", "admin", settings=settings)
        key = printed(made).strip()
        with server.client(key) as client:
            stage = set_up(client)
        (folder / CONFIGURATION).write_text(configure(stage, key))
        yield Target(server, folder)


def configure(stage: Stage, key: str) -> str:
    """The configuration of schemathesis: its key, and values that lead somewhere."""
    known = {
        "profile": stage.profiles.kept,
        "profile-to-delete": stage.profiles.to_delete,
        "food": stage.catalogue + stage.foods.kept,
        "own-food": stage.foods.kept,
        "own-food-to-delete": stage.foods.to_delete,
        "log": stage.logs.kept,
        "log-to-delete": stage.logs.to_delete,
        "meal": stage.meals.kept,
        "meal-to-delete": stage.meals.to_delete,
        "key": stage.keys,
        "barcode": stage.barcodes,
        "timezone": ["Europe/Berlin", "America/New_York", "Pacific/Apia"],
    }
    lines = ['hooks = "tests.fuzzing.hooks"', "[auth.openapi.key]", f"bearer = {json.dumps(key)}"]
    for name, values in known.items():
        lines += [f"[dictionaries.{name}]", f"values = {json.dumps(values)}"]
    lines += ["[parameters]", *(_bind(name, each) for name, parameters in _BOUND.items() for each in parameters)]
    for operation, bound in _BOUND_OF.items():
        lines += ["[[operations]]", f'include-operation-id = "{operation}"', "[operations.parameters]"]
        lines += [_bind(name, parameter) for name, parameter in bound.items()]
    return "\n".join(lines) + "\n"


def _bind(dictionary: str, parameter: str) -> str:
    return f'"{parameter}" = {{ dictionary = "{dictionary}", probability = {_KNOWN} }}'


def _read_requests(log: str) -> Iterator[dict[str, Any]]:
    for line in map(json.loads, log.rpartition("\n")[0].splitlines()):
        if line["event"] == "request" and line["request_id"] != REQUEST_ID:
            yield line
