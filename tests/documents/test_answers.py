"""What counts as the answer that a page shows, and what does not."""

from datetime import date

import pytest

from tests.documents.answers import differences
from tests.documents.names import Names

TODAY = date(2026, 11, 20)
PAGE = '{"created_at":1794733184888}'  # 2026-11-15
MADE, OTHER = "0KMkYtZC9CSSVP5Y", "0KMlsRTX23RDUiGA"


def found(shown: str, real: str) -> list[str]:
    return list(differences(shown, real, Names(PAGE, TODAY)))


@pytest.mark.parametrize(
    ("shown", "real"),
    [
        ("a line\nand another\n", "a line\r\nand another"),
        ("the first\n…", "the first\nthe second\nthe third"),
        ("…\nthe third", "the first\nthe second\nthe third"),
        ("the first\n…\nthe third", "the first\nthe second\nthe second\nthe third"),
        ("in 3.9 s.", "in 12.75 s."),
        ("49.1 MB, as of 2026-11-15T14:36:57Z", "1.2 MB, as of 2026-11-20T00:00:00Z"),
        ("until 2026-11-22 14:00 UTC", "until 2026-11-27 09:30 UTC"),
        ("in imports/20261115T032914.402518Z-rejected.jsonl", "in imports/20261120T080000.000001Z-rejected.jsonl"),
        ("in use is now 20261115T032914Z-001: 8911 foods.", "in use is now 20261120T080000Z-002: 6 foods."),
        ("has schema 10; this knows schemas up to 9.", "has schema 12; this knows schemas up to 11."),
        ("Provender 0.1.0 listens", "Provender 1.12.0 listens"),
        ("key: pv_…", "key: pv_abc"),
        ('{"a":1,…}', '{"a":1,"b":2}'),
        ('{…,"b":2}', '{"a":1,"b":2}'),
        ('{"a":{…},\n "b":[…]}', '{"a":{"c":3},"b":[1,2]}'),
        ('{"a":1,…\n  "c":3}', '{"a":1,"b":2,"c":3}'),
        ('{"data":[{"a":1},…{"a":3},…]}', '{"data":[{"a":1},{"a":2},{"a":3},{"a":4}]}'),
        ('{"a":"one \\" {…"}', '{"a":"one \\" {two"}'),
        (f'{{"_id":"{MADE}"}}', f'{{"_id":"{OTHER}"}}'),
        ('{"created_at":1794733184888}', '{"created_at":1795000000000}'),
        ('{"date":"2026-11-15"}', '{"date":"2026-11-20"}'),
        ('{"date":"2026-11-14"}', '{"date":"2026-11-19"}'),
        ('{"p50_ms":0.406,"p99_ms":null}', '{"p50_ms":12.5,"p99_ms":null}'),
        ('{"key":"pv_EXAMPLE2…"}', '{"key":"pv_yGtAfh2glMBFpvEjXHc4CpwDQFADeq4w0PBVQn"}'),
        ('{"version":"20261115T172418Z-001"}', '{"version":"20261120T080000Z-002"}'),
        ('{"from":"1900-01-01"}', '{"from":"1900-01-01"}'),
    ],
)
def test_this_is_the_answer_that_is_shown(shown: str, real: str) -> None:
    assert found(shown, real) == []


@pytest.mark.parametrize(
    ("shown", "real", "difference"),
    [
        ("", "something", "the page does not show: something"),
        ("a line", "", "the answer ends before: a line"),
        ("the first\n…\nthe third", "the first\nthe second", "the page has: the third"),
        ("the first\n…\nthe first", "the first", "the answer ends before: the first"),
        ("in 4 s.", "in 5 s.", "the page has: in 4 s."),
        ("8911 foods, 300 of them", "8911 foods, 301 of them", "the page has: 8911 foods, 300"),
        ('{"a":1}', '{"a":1,"b":2}', "the answer has more than the page: b"),
        ('{"a":1,"b":2}', '{"a":1}', "the answer has no b here, but ends"),
        ('{"a":1,"b":2}', '{"b":2,"a":1}', "the answer has no a here, but b, a"),
        ('{"a":{"b":1},…}', '{"a":{"b":1,"c":2},"d":3}', "a has more than the page: c"),
        ('{"a":282}', '{"a":282.0}', "a: the page has 282, but it is 282.0"),
        ('{"a":"1"}', '{"a":1}', 'a: the page has "1", but it is 1'),
        ('{"a":null}', '{"a":false}', "a: the page has null, but it is false"),
        ('{"p50_ms":0.406}', '{"p50_ms":null}', "p50_ms: the page has 0.406, but it is null"),
        ('{"a":{}}', '{"a":[]}', "a: the page has {}, but it is []"),
        ('{"a":[1]}', '{"a":[1,2]}', "a has 2 items, and the page 1"),
        ('{"a":[1,…,4]}', '{"a":[1,2,3]}', "a: no item is 4"),
        ('{"_id":"qH2cz3R44WDV4dIf"}', '{"_id":"2RxzuXnM8HraPwQF"}', "_id: the page has qH2cz3R44WDV4dIf"),
        ('{"date":"2026-11-15"}', '{"date":"2026-11-19"}', "date: the page has 2026-11-15, but it is 2026-11-19"),
        ('{"barcode":"4006381333931"}', '{"barcode":"4006381333932"}', "barcode: the page has 4006381333931"),
    ],
)
def test_this_is_not(shown: str, real: str, difference: str) -> None:
    [only] = found(shown, real)
    assert only.startswith(difference)


def test_an_id_stands_for_the_same_thing_on_the_whole_page() -> None:
    names = Names(PAGE, TODAY)
    assert not list(differences(f'{{"_id":"{MADE}"}}', f'{{"_id":"{OTHER}"}}', names))
    assert (
        names.in_command(f"curl /v1/diary-logs/{MADE}?date=2026-11-16")
        == f"curl /v1/diary-logs/{OTHER}?date=2026-11-21"
    )
    assert list(differences(f'{{"_id":"{MADE}"}}', f'{{"_id":"{MADE}"}}', names))
    assert list(differences('{"_id":"0KMkYtZKZlU1Fzoy"}', f'{{"_id":"{OTHER}"}}', names))


@pytest.mark.parametrize(
    "page",
    [
        "made 2026-03-10 and 2026-03-10 again, as of 2026-11-15T14:36:57Z",
        "version 20261115T032914Z-001, made 2026-11-14",
        "made 2026-08-01, used 2026-11-15, 2026-11-15 until 2026-11-22, never 2026-02-30, 2026-02-30, 2026-02-30",
    ],
)
def test_the_day_of_a_page_is_that_of_its_last_moment_or_the_one_it_names_most(page: str) -> None:
    assert Names(page, TODAY).in_command("--from 2026-11-15 --to 2026-03-10") == "--from 2026-11-20 --to 2026-03-10"
