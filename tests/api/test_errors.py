"""Every response the application makes is a problem where it is not a success. The contract check sees to the rest."""

import json
from typing import Any

import httpx
import pytest

from provender.api.errors import problem, public_errors, status_of
from provender.model.errors import (
    Fault,
    FoodNotFound,
    LogNotFound,
    MealItemsMissing,
    MealNotFound,
    ProfileNotFound,
    ProvenderError,
    ReferenceIdTaken,
    SchemaTooNew,
    StorageUnavailable,
)
from provender.storage import profiles as stored_profiles


@pytest.mark.parametrize(
    "path",
    ["/v1", "/v1/", "/v1/profiles/", "/v2/profiles", "/v1/profile", "/v1/profiles/a/b", "/profiles/", "/a//", "/%FF"],
)
async def test_an_unknown_path_is_a_problem(acme: httpx.AsyncClient, path: str) -> None:
    response = await acme.get(path)
    assert response.status_code == 404
    assert response.json()["code"] == "not_found"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/profiles", {"GET", "HEAD", "POST"}),
        ("POST", "/v1/profiles/alice", {"GET", "HEAD", "PATCH", "DELETE"}),
        ("OPTIONS", "/v1/profiles", {"GET", "HEAD", "POST"}),
        ("DELETE", "/healthz", {"GET", "HEAD"}),
        ("POST", "/docs/api", {"GET", "HEAD"}),
        ("BREW", "/v1/profiles", {"GET", "HEAD", "POST"}),
    ],
)
async def test_a_wrong_method_is_told_the_right_ones(
    acme: httpx.AsyncClient, method: str, path: str, allowed: set[str]
) -> None:
    response = await acme.request(method, path)
    assert response.status_code == 405
    assert response.json()["code"] == "method_not_allowed"
    assert set(response.headers["allow"].split(", ")) == allowed


async def test_head_is_get_without_the_body(acme: httpx.AsyncClient) -> None:
    await acme.post("/v1/profiles", data={"reference_id": "alice"})
    full = await acme.get("/v1/profiles/alice")
    head = await acme.head("/v1/profiles/alice")
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == full.headers["content-length"]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    async def fail(*_: Any) -> None:
        raise ZeroDivisionError("a secret of the inside")

    monkeypatch.setattr(stored_profiles, "find_profile", fail)
    return monkeypatch


async def test_a_fault_in_the_server_shows_nothing_and_logs_everything(
    acme: httpx.AsyncClient, broken: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    response = await acme.get("/v1/profiles/alice", headers={"X-Request-Id": "trace-me"})
    assert response.status_code == 500
    assert response.json()["code"] == "internal_error"
    assert "secret" not in response.text
    assert "Zero" not in response.text
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.__dict__["request_id"] == "trace-me"
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError


async def test_storage_that_does_not_answer_is_a_503_with_retry_after(
    acme: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any) -> None:
        raise StorageUnavailable("The storage does not answer: disk full.")

    monkeypatch.setattr(stored_profiles, "find_profile", fail)
    response = await acme.get("/v1/profiles/alice")
    assert response.status_code == 503
    assert response.json()["code"] == "storage_unavailable"
    assert int(response.headers["retry-after"]) > 0


@pytest.mark.parametrize("sane", ["abc-123", "Root=1-67891233-abcdef", "x" * 128, "a/b:c@d+e.f_g"])
async def test_a_sane_request_id_is_kept(acme: httpx.AsyncClient, sane: str) -> None:
    response = await acme.get("/v1/profiles", headers={"X-Request-Id": sane})
    assert response.headers["x-request-id"] == sane


@pytest.mark.parametrize("insane", ["", "x" * 129, "a b", 'a"b', "<script>", "a\tb"])
async def test_another_request_id_is_replaced(acme: httpx.AsyncClient, insane: str) -> None:
    response = await acme.get("/nowhere", headers={"X-Request-Id": insane})
    assert response.headers["x-request-id"] != insane
    assert response.json()["request_id"] == response.headers["x-request-id"]


async def test_request_ids_differ(acme: httpx.AsyncClient) -> None:
    ids = {(await acme.get("/healthz")).headers["x-request-id"] for _ in range(20)}
    assert len(ids) == 20


async def test_every_problem_type_leads_to_its_section(acme: httpx.AsyncClient) -> None:
    page = (await acme.get("/docs/errors")).text
    for error in public_errors():
        assert f'id="{error.code}"' in page


def test_codes_are_unique_and_snake_case() -> None:
    codes = [error.code for error in public_errors()]
    assert len(codes) == len(set(codes))
    assert all(code.isidentifier() and code.islower() for code in codes)


def test_an_error_for_operators_has_no_status() -> None:
    with pytest.raises(LookupError):
        status_of(SchemaTooNew)


async def test_a_problem_is_json_whatever_the_caller_sent(acme: httpx.AsyncClient) -> None:
    response = await acme.post("/v1/profiles", content=b'{"\\ud800": 1}', headers={"Content-Type": "application/json"})
    assert response.status_code == 400
    json.loads(response.content)


FAULT = Fault("logs[3].food_id", "not_found", "is no food that there is.")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (FoodNotFound("No food has this _id.", faults=[FAULT]), "food_not_found"),
        (LogNotFound(faults=[FAULT]), "log_not_found"),
        (MealNotFound(faults=[FAULT]), "meal_not_found"),
        (ProfileNotFound(faults=[FAULT]), "profile_not_found"),
        (MealItemsMissing(faults=[FAULT]), "meal_items_missing"),
        (ReferenceIdTaken(faults=[FAULT]), "reference_id_taken"),
    ],
)
def test_what_is_not_found_or_conflicts_may_name_its_parameters(error: ProvenderError, code: str) -> None:
    answer = json.loads(problem(error, "request").body)
    assert answer["code"] == code
    assert answer["errors"] == [{"param": FAULT.param, "code": FAULT.code, "message": FAULT.message}]
    assert answer["detail"].endswith(".")


@pytest.mark.parametrize("error", [FoodNotFound("No food."), LogNotFound(), ProfileNotFound(), MealItemsMissing()])
def test_an_error_that_names_no_parameters_has_no_errors(error: ProvenderError) -> None:
    assert "errors" not in json.loads(problem(error, "request").body)


def test_at_most_25_parameters_are_named_whatever_the_error() -> None:
    answer = json.loads(problem(ProfileNotFound(faults=[FAULT] * 100), "request").body)
    assert len(answer["errors"]) == 25
