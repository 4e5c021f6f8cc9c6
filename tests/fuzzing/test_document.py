"""Every route of the OpenAPI document, with made-up requests: no check of schemathesis fails."""

from collections.abc import Iterator

import pytest

from provender.api.app import ROUTES
from provender.catalogue.folder import CatalogueFolder
from provender.settings import Settings
from tests.fuzzing.hooks import is_beyond_a_schema
from tests.fuzzing.run import Target, target
from tests.system.server import until

# Each as a test of its own, since a test that takes two minutes is taken for one that hangs.
PARTS = {
    "coverage": ("--phases", "examples,coverage"),
    "foods": ("--phases", "fuzzing", "--include-path-regex", "/foods/"),
    "diary": ("--phases", "fuzzing", "--include-path-regex", "/(diary-logs|saved-meals)"),
    "others": ("--phases", "fuzzing", "--exclude-path-regex", "/(foods|diary-logs|saved-meals)"),
    "stateful": ("--phases", "stateful"),
}


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory, catalogue_folder: CatalogueFolder) -> Iterator[Target]:
    """One server on SQLite for all of them."""
    folder = tmp_path_factory.mktemp("fuzzing")
    (folder / "data").mkdir(mode=0o700)
    (folder / "data" / "catalogue").symlink_to(catalogue_folder.path)
    with target(Settings(data_dir=folder / "data"), folder) as made:
        yield made


@pytest.mark.parametrize("part", PARTS)
def test_no_check_fails(attacked: Target, part: str) -> None:
    exit_code, output = attacked.attack(*PARTS[part])
    assert exit_code == 0, output
    assert "No API operations" not in output


def test_every_route_did_its_work_and_every_refusal_was_tried(attacked: Target) -> None:
    """If the made-up requests were all refused, that they were answered well would prove little."""
    routes = {f"{route.method} {route.path}" for route in ROUTES}

    def all_served() -> bool:
        return routes <= {route for route, status in attacked.answers() if 200 <= status < 300}

    until(all_served, 2, "every route has answered 2xx at least once")
    statuses = {status for _, status in attacked.answers()}
    assert statuses >= {400, 401, 404, 405, 409, 415}
    assert max(statuses) < 500


def test_an_exception_is_for_its_own_parameters_alone() -> None:
    def problem(code: str, *params: str) -> dict[str, object]:
        faults = [{"code": code, "param": param, "message": ""} for param in params]
        return {"code": "invalid_parameters", "errors": faults} if faults else {"code": code}

    assert is_beyond_a_schema(problem("invalid_cursor"))
    assert is_beyond_a_schema(problem("required", "custom_foods[3].brand_name"))
    assert not is_beyond_a_schema(problem("required", "food_name"))
    assert not is_beyond_a_schema(problem("required", "brand_name", "food_name"))
    assert not is_beyond_a_schema(problem("wrong_type", "date"))
    assert not is_beyond_a_schema(problem("invalid_body"))
