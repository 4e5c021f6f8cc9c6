"""The table of codes of parameter faults has every code that the source can answer with, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from provender.model import errors

ROOT = Path(__file__).parents[2]
# Who makes a fault, and which of the arguments is its code.
MAKERS = {"Fault": 1, "faults.add": 1, "Unfit": 0, "_unfit": 0}


def _codes() -> Iterator[str]:
    for file in (ROOT / "src" / "provender").rglob("*.py"):
        source = file.read_text()
        # To parse all files would take seconds.
        nodes = ast.walk(ast.parse(source)) if any(f"{maker}(" in source for maker in MAKERS) else ()
        for node in nodes:
            place = MAKERS.get(ast.unparse(node.func)) if isinstance(node, ast.Call) else None
            if isinstance(node, ast.Call) and place is not None and len(node.args) > place:
                yield from _code(node.args[place])


def _code(argument: ast.expr) -> Iterator[str]:
    """What is written there, or that of an error. A code in a variable was made elsewhere."""
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        yield argument.value
    elif isinstance(argument, ast.Attribute) and (error := getattr(errors, ast.unparse(argument.value), None)):
        yield error.code


def test_every_code_of_a_fault_is_documented_and_no_other() -> None:
    page = (ROOT / "docs" / "reference-errors.md").read_text()
    table = page.partition("\n## Codes of parameter faults\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    documented = [code for cell in cells for code in re.findall(r"`(\w+)`", cell)]
    assert len(documented) > 10
    assert sorted(documented) == sorted(set(_codes()))
