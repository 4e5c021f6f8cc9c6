"""The tables of the references name nothing that does not exist, and say what the API answers."""

import re
from dataclasses import fields

from provender.settings import Settings, variable
from tests.contract import openapi
from tests.documents.requests import operations
from tests.test_project import DOCS


def _rows(page: str, beginning: str) -> list[list[str]]:
    lines = (DOCS / page).read_text().splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith(f"| `{beginning}")]


def test_no_setting_is_documented_that_does_not_exist() -> None:
    documented = [row[0].strip("`") for row in _rows("reference-settings.md", "PROVENDER_")]
    assert sorted(documented) == sorted(variable(setting.name) for setting in fields(Settings))


def test_the_endpoints_of_the_table_have_the_statuses_of_the_openapi_document() -> None:
    told = {}
    for request, _, _, answer in [row for row in _rows("reference-requests.md", "") if len(row) == 4]:
        method, _, path = request.strip("`").partition(" ")
        if (method, path) in operations():
            described = openapi()["paths"][path][method.lower()]["responses"]
            told[method, path] = (set(re.findall(r"\b[23]\d\d\b", answer)), {one for one in described if one < "400"})
    assert told.keys() == operations()
    assert {endpoint: row for endpoint, (row, _) in told.items()} == {one: real for one, (_, real) in told.items()}
