"""Every route of the OpenAPI document, with made-up requests: no check of schemathesis fails."""

import pytest

from provender.api.app import ROUTES
from provender.catalogue.folder import CatalogueFolder
from provender.settings import Settings
from tests.fuzzing.hooks import is_beyond_a_schema
from tests.fuzzing.run import Run, run


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, catalogue_folder: CatalogueFolder) -> Run:
    """All requests of the module, on SQLite."""
    folder = tmp_path_factory.mktemp("fuzzing")
    (folder / "data").mkdir(mode=0o700)
    (folder / "data" / "catalogue").symlink_to(catalogue_folder.path)
    return run(Settings(data_dir=folder / "data"), folder)


def test_no_check_fails(done: Run) -> None:
    assert done.exit_code == 0, done.output


def test_every_route_was_reached_and_did_its_work(done: Run) -> None:
    """If the made-up requests were all refused, that they were answered well would prove little."""
    served = {route for route, status in done.answers if 200 <= status < 300}
    assert {f"{route.method} {route.path}" for route in ROUTES} <= served


def test_every_refusal_was_tried(done: Run) -> None:
    statuses = {status for _, status in done.answers}
    assert statuses >= {400, 401, 404, 405, 409, 415}


def test_no_answer_was_the_servers_fault(done: Run) -> None:
    assert not [answer for answer in done.answers if answer[1] >= 500]


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
