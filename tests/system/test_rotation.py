"""`provender keys rotate`: a new key in place of an old one, which works on for a while."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from provender.settings import Settings
from tests.system.commands import KEY, Result, call, printed, refusal
from tests.system.server import serving, until

# The settings are made by an asynchronous fixture, which needs to know what runs it.
pytestmark = pytest.mark.usefixtures("anyio_backend")

_SAID = re.compile(r"(pv_\w{8})… of (\S+) works until (.+) UTC\.\n")


def _create_key(settings: Settings, *options: str) -> str:
    return printed(call("keys", "create", "--application", "acme", *options, settings=settings)).strip()


def _rotated(result: Result) -> str:
    """The new key, which is all there is on standard output."""
    assert result.exit_code == 0, result.stderr
    assert result.stdout.endswith("\n")
    key = result.stdout.removesuffix("\n")
    assert KEY.fullmatch(key)
    assert key[11:] not in result.stderr
    return key


def _listed(settings: Settings) -> dict[str, str]:
    """What is listed of every key, by its prefix."""
    lines = printed(call("keys", "list", settings=settings)).splitlines()[1:]
    return {prefix: rest.strip() for prefix, _, rest in (line.partition(" ") for line in lines)}


@pytest.mark.parametrize(
    ("options", "overlap"),
    [
        ((), timedelta(hours=24)),
        (("--overlap", "7d"), timedelta(days=7)),
        (("--overlap", "90m"), timedelta(minutes=90)),
        (("--overlap", "86400s"), timedelta(days=1)),
    ],
)
def test_a_key_is_replaced_by_one_that_is_like_it(
    settings: Settings, options: tuple[str, ...], overlap: timedelta
) -> None:
    old, _ = _create_key(settings, "--scope", "read"), _create_key(settings)
    before = datetime.now(UTC).replace(microsecond=0)
    result = call("keys", "rotate", old[:11], *options, settings=settings)
    new = _rotated(result)
    said = _SAID.fullmatch(result.stderr)
    assert said is not None
    assert said.group(1, 2) == (old[:11], "acme")
    ends_at = datetime.fromisoformat(f"{said[3]}+00:00")
    assert before + overlap <= ends_at <= datetime.now(UTC) + overlap
    listed = _listed(settings)
    assert len(listed) == 3
    assert re.fullmatch(r"acme +read +default +\S+ +never", listed[new[:11]])
    assert listed[old[:11]].endswith(f"  until {ends_at:%Y-%m-%d %H:%M} UTC")


def test_a_running_server_takes_both_keys_until_the_old_one_ends(settings: Settings) -> None:
    old = _create_key(settings)
    with serving(settings) as server, server.client(old) as by_old:
        assert by_old.get("/v1/profiles").status_code == 200
        new = _rotated(call("keys", "rotate", old, "--overlap", "3s", settings=settings))
        rotated_at = datetime.now(UTC)
        with server.client(new) as by_new:
            assert by_new.post("/v1/profiles", data={"reference_id": "alice"}).status_code == 201
            answer = by_old.get("/v1/profiles/alice")
            # On a machine that is very busy the three seconds may be over already.
            assert answer.status_code == 200 or datetime.now(UTC) - rotated_at > timedelta(seconds=2)
            until(lambda: by_old.get("/v1/profiles/alice").status_code == 401, 3 + 5, "the old key has ended")
            assert by_new.get("/v1/profiles/alice").status_code == 200
    assert re.search(r"\d{4}-\d\d-\d\d$", _listed(settings)[old[:11]])
    assert "until" not in _listed(settings)[old[:11]]


def test_without_an_overlap_the_old_key_is_revoked(settings: Settings) -> None:
    old = _create_key(settings)
    result = call("keys", "rotate", old, "--overlap", "0", settings=settings)
    new = _rotated(result)
    assert result.stderr == f"{old[:11]}… of acme is revoked.\n"
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert re.search(rf"never +{today}$", _listed(settings)[old[:11]])
    # What begins both names the one that still works.
    assert printed(call("keys", "revoke", "pv_", settings=settings)) == f"Revoked {new[:11]}… of acme.\n"


def test_a_key_that_runs_out_can_be_revoked_but_not_rotated_again(settings: Settings) -> None:
    old = _create_key(settings)
    new = _rotated(call("keys", "rotate", old, settings=settings))
    assert f"{old[:11]}… is revoked, or was rotated already" in refusal(call("keys", "rotate", old, settings=settings))
    assert "2 keys begin with 'pv_'" in refusal(call("keys", "revoke", "pv_", settings=settings))
    assert printed(call("keys", "revoke", old[:11], settings=settings)) == f"Revoked {old[:11]}… of acme.\n"
    assert "until" not in _listed(settings)[old[:11]]
    refusal(call("keys", "rotate", old[:11], settings=settings))
    assert set(_listed(settings)) == {old[:11], new[:11]}


def test_what_is_no_time_and_what_names_no_key_rotates_nothing(settings: Settings) -> None:
    key = _create_key(settings)
    for overlap in ("", "7", "-1d", "1.5h", "1w", "7 d", "0x", "367d", "99999999d", "٣d", "7d\n"):
        result = call("keys", "rotate", key, "--overlap", overlap, settings=settings)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--overlap" in result.stderr
    for unknown in ("pv_nosuch", key[:-1], key[:12], "pv_%"):
        line = refusal(call("keys", "rotate", unknown, settings=settings))
        assert key[11:20] not in line, "what may be a secret is not repeated"
    assert list(_listed(settings)) == [key[:11]]
