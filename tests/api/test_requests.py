"""How requests are read: query, form and JSON, their limits, and all faults at once."""

from collections.abc import AsyncIterator

import httpx
import pytest

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}


async def _fault_codes(response: httpx.Response) -> list[tuple[str, str]]:
    assert response.status_code == 400, response.text
    return [(fault["param"], fault["code"]) for fault in response.json()["errors"]]


async def test_all_faults_are_reported_together(acme: httpx.AsyncClient) -> None:
    response = await acme.post("/v1/profiles", json={"reference_id": 5, "timezone": "Nowhere", "colour": "red"})
    assert await _fault_codes(response) == [
        ("reference_id", "wrong_type"),
        ("timezone", "unknown_timezone"),
        ("colour", "unknown_parameter"),
    ]


async def test_at_most_25_faults_are_listed(acme: httpx.AsyncClient) -> None:
    response = await acme.post("/v1/profiles", data={f"p{number}": "x" for number in range(40)})
    assert len(await _fault_codes(response)) == 25


async def test_a_missing_parameter_is_named(acme: httpx.AsyncClient) -> None:
    for response in [
        await acme.post("/v1/profiles"),
        await acme.post("/v1/profiles", json={}),
        await acme.post("/v1/profiles", content=b"", headers={"Content-Type": "text/plain"}),
    ]:
        assert await _fault_codes(response) == [("reference_id", "required")]


async def test_a_duplicated_parameter_is_refused(acme: httpx.AsyncClient) -> None:
    form = await acme.post("/v1/profiles", content=b"reference_id=a&reference_id=b", headers=FORM)
    assert await _fault_codes(form) == [("reference_id", "duplicate")]
    query = await acme.get("/v1/profiles?limit=1&limit=1")
    assert await _fault_codes(query) == [("limit", "duplicate")]
    in_json = await acme.post("/v1/profiles", content=b'{"reference_id": "a", "reference_id": "b"}', headers=JSON)
    assert in_json.status_code == 400
    assert in_json.json()["code"] == "invalid_body"


async def test_a_colon_in_json_text_is_no_duplicate(acme: httpx.AsyncClient) -> None:
    response = await acme.post("/v1/profiles", json={"reference_id": "urn:user:{1}"})
    assert response.status_code == 201


@pytest.mark.parametrize(
    ("form", "code"),
    [
        (b"reference_id[]=a", "wrong_shape"),
        (b"reference_id[a]=b", "wrong_shape"),
        (b"reference_id[a][b]=c", "wrong_shape"),
        (b"reference_id[=a", "wrong_shape"),
    ],
)
async def test_brackets_where_none_belong_are_refused(acme: httpx.AsyncClient, form: bytes, code: str) -> None:
    response = await acme.post("/v1/profiles", content=form, headers=FORM)
    assert ("reference_id", code) in [(param.split("[")[0], found) for param, found in await _fault_codes(response)]


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b'"text"',
        b"null",
        b"5",
        b"{'a': 1}",
        b"\xff\xfe",
        b'{"a": NaN}',
        b"{} {}",
        b"[" * 100_000,
        b'{"a":' * 1500,
    ],
)
async def test_a_body_that_is_no_json_object_is_refused(acme: httpx.AsyncClient, body: bytes) -> None:
    response = await acme.post("/v1/profiles", content=body, headers=JSON)
    assert response.status_code == 400
    assert response.json()["code"] == "invalid_body"


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/xml",
        "",
        "application/jsonp",
        "application/json; charset=latin-1",
        "application/json; version=1; charset=latin-1",
    ],
)
async def test_a_body_of_another_type_is_refused(acme: httpx.AsyncClient, content_type: str) -> None:
    headers = {"Content-Type": content_type} if content_type else {}
    response = await acme.post("/v1/profiles", content=b"reference_id=alice", headers=headers)
    assert response.status_code == 415
    assert response.json()["code"] == "unsupported_media_type"


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "Application/JSON", "application/json; charset=utf-8", 'application/json;charset="UTF-8"'],
)
async def test_json_is_known_by_its_type_in_any_spelling(acme: httpx.AsyncClient, content_type: str) -> None:
    response = await acme.post(
        "/v1/profiles", content=b'{"reference_id": "alice"}', headers={"Content-Type": content_type}
    )
    assert response.status_code == 201


async def test_a_compressed_body_is_refused(acme: httpx.AsyncClient) -> None:
    response = await acme.post("/v1/profiles", content=b"\x1f\x8b", headers=JSON | {"Content-Encoding": "gzip"})
    assert response.status_code == 415


async def test_a_body_over_1_mib_is_refused(acme: httpx.AsyncClient) -> None:
    announced = await acme.post("/v1/profiles", content=b"x" * (1024 * 1024 + 1), headers=FORM)
    assert announced.status_code == 413
    assert announced.json()["code"] == "body_too_large"

    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 65536
            yield b"x" * 65536

    unannounced = await acme.post("/v1/profiles", content=endless(), headers=FORM)
    assert unannounced.status_code == 413
    assert sent <= 2 * 1024 * 1024, "it reads on after the limit"


async def test_more_than_1000_values_are_refused(acme: httpx.AsyncClient) -> None:
    form = await acme.post("/v1/profiles", content=b"&".join([b"a=b"] * 1001), headers=FORM)
    query = await acme.get("/v1/profiles?" + "&".join(["a=b"] * 1001))
    in_json = await acme.post("/v1/profiles", json={"a": list(range(1001))})
    for response in (form, query, in_json):
        assert response.status_code == 400
        assert response.json()["code"] == "invalid_request"


async def test_1000_values_are_not_too_many(acme: httpx.AsyncClient) -> None:
    in_json = await acme.post("/v1/profiles", json={"a": list(range(999))})
    assert await _fault_codes(in_json) == [("a", "unknown_parameter"), ("reference_id", "required")]


@pytest.mark.parametrize("depth", [10, 500, *range(955, 1005)])
async def test_json_of_any_depth_is_answered_with_a_400(acme: httpx.AsyncClient, depth: int) -> None:
    body = b'{"a": ":", "x": ' + b"[" * depth + b"]" * depth + b"}"
    assert (await acme.post("/v1/profiles", content=body, headers=JSON)).status_code == 400


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"reference_id=" + b"x" * 4000, FORM),
        (b"reference_id[]=x", FORM),
        (b"reference_id[a][b]=x", FORM),
        (b'{"reference_id": null}', JSON),
        (b'{"reference_id": 1}', JSON),
    ],
)
async def test_a_parameter_that_is_there_but_wrong_is_not_called_missing(
    acme: httpx.AsyncClient, body: bytes, headers: dict[str, str]
) -> None:
    codes = await _fault_codes(await acme.post("/v1/profiles", content=body, headers=headers))
    assert len(codes) == 1
    assert codes[0][1] != "required"


async def test_text_that_is_not_utf_8_is_refused(acme: httpx.AsyncClient) -> None:
    for content in (b"reference_id=%FF", b"reference_id=\xff", b"%FF=x", b"reference_id=%ED%A0%80"):
        response = await acme.post("/v1/profiles", content=content, headers=FORM)
        assert response.status_code == 400
        assert response.json()["code"] == "invalid_request"


async def test_parameters_of_a_post_do_not_go_into_the_address(acme: httpx.AsyncClient) -> None:
    response = await acme.post("/v1/profiles?reference_id=alice&timezon=UTC", json={"reference_id": "alice"})
    assert await _fault_codes(response) == [("reference_id", "wrong_place"), ("timezon", "unknown_parameter")]
    alone = await acme.post("/v1/profiles?reference_id=alice")
    assert await _fault_codes(alone) == [("reference_id", "wrong_place")]
    both = await acme.post("/v1/profiles?timezon=UTC", json={"reference_id": 5})
    assert await _fault_codes(both) == [("timezon", "unknown_parameter"), ("reference_id", "wrong_type")]
    assert "timezone" in response.json()["errors"][1]["message"]
    assert (await acme.get("/v1/profiles")).json()["data"] == []


async def test_parameters_of_a_delete_do_not_go_into_a_body(acme: httpx.AsyncClient) -> None:
    await acme.post("/v1/profiles", data={"reference_id": "alice"})
    response = await acme.request("DELETE", "/v1/profiles/alice", json={"profile_reference_id": "alice"})
    assert response.status_code == 400
    assert "address" in response.json()["detail"]
    assert (await acme.get("/v1/profiles/alice")).status_code == 200


async def test_plus_is_a_space_in_a_form_and_a_plus_in_a_path(acme: httpx.AsyncClient) -> None:
    await acme.post("/v1/profiles", content=b"reference_id=a+b", headers=FORM)
    assert (await acme.get("/v1/profiles/a%20b")).status_code == 200
    assert (await acme.get("/v1/profiles/a+b")).status_code == 404
