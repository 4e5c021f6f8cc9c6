"""The parts of `make bench` that need no server: scripts, what wrk says, goals, and the table."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from benchmarks.bench.calls import NO_FOODS, main_calls, profile_calls
from benchmarks.bench.commits import count_syncs, parse_commits
from benchmarks.bench.context import QUICK, Sizes
from benchmarks.bench.filling import find_full
from benchmarks.bench.load import LoadFailed, Script, Sent, address, form, make_lua, parse_load
from benchmarks.bench.parts import PARTS, left_out
from benchmarks.bench.plan import draw_queries, plan_templates
from benchmarks.bench.results import (
    POSTGRESQL,
    SQLITE,
    Figure,
    Report,
    Row,
    Verdict,
    at_least,
    at_most,
    growth,
    ratios,
    write_number,
)
from benchmarks.bench.stock import Stock
from benchmarks.bench.tables import make_json, make_markdown
from benchmarks.bench.throughput import choose_pace
from benchmarks.bench.wire import Messages
from benchmarks.bench.workers import set_off

MACHINE = {
    "date": "2026-11-15",
    "commit": "abc",
    "machine": "a machine",
    "cores": 2,
    "memory": "4 GiB",
    "versions": {"Python": "3.11"},
    "pinning": "Pinned.",
}
SAID = (
    "Running 1s test @ http://127.0.0.1:1\n"
    'benchmark {"requests":1000,"duration_us":2000000,"bytes":5,"connect":0,"read":0,"write":0,"timeout":0,'
    '"status":%d,"p50":120,"p90":200,"p99":900}\n'
)


def _report(rows: Sequence[Row]) -> Report:
    return Report(MACHINE, {"remarks": ["A remark."]}, rows, ["a row"], 60)


def test_a_goal_is_met_at_its_bound_and_missed_beyond_it() -> None:
    assert at_least(0.75).judge(0.75) is Verdict.MET
    assert at_least(0.75).judge(0.7499) is Verdict.MISSED
    assert at_most(1.2).judge(1.2) is Verdict.MET
    assert at_most(1.2).judge(1.21) is Verdict.MISSED


def test_a_missed_figure_is_in_the_table_with_its_number() -> None:
    row = Row("Limit", "food by id", at_least(0.75), {SQLITE: Figure.of([0.2, 0.3, 0.4])}, ["a note"])
    text = make_markdown(_report([row]))
    assert "| food by id | ≥ 0.75 | 0.30 | 0.20 to 0.40 | **missed** | a note |" in text
    assert "0 met, 1 missed, 0 failed." in text
    assert "- a row" in text


def test_a_row_that_failed_is_in_the_table_with_its_error() -> None:
    row = Row("Limit", "food by id", at_least(0.75), {SQLITE: Figure.of([1]), POSTGRESQL: Figure.failed("no | server")})
    text = make_markdown(_report([row]))
    assert "| food by id | ≥ 0.75 | 1 |  | met |  |  | **failed** | PostgreSQL failed: no / server |" in text


def test_json_has_the_verdict_of_every_figure() -> None:
    row = Row("Limit", "food by id", at_most(1.2, "x"), {SQLITE: Figure.of([1.0, 1.1])}, details={"call": "food"})
    [written] = make_json(_report([row]))["rows"]
    assert written["figures"][SQLITE]["verdict"] == "met"
    assert written["goal"] == {"bound": 1.2, "at_least": False, "unit": "x"}
    assert written["details"] == {"call": "food"}


def test_growth_is_that_of_the_dearest_size_in_each_round() -> None:
    assert growth({"1": [1.0, 2.0], "10": [1.5, 2.0], "100": [1.2, 5.0]}) == [1.5, 2.5]
    assert ratios([2.0, 9.0], [1.0, 3.0]) == [2.0, 3.0]


@pytest.mark.parametrize(
    ("value", "written"), [(8, "8"), (25_000.0, "25,000"), (0.453, "0.45"), (123.456, "123.5"), (4321.9, "4,322")]
)
def test_numbers_are_written_for_reading(value: float, written: str) -> None:
    assert write_number(value) == written


def test_a_script_has_every_request_as_a_lua_string() -> None:
    requests = [Sent('/a?q="x\\y"'), Sent("/é\n", "POST", form(food_id="ä b"), "text/plain")]
    lua = make_lua(Script(requests, {"Authorization": "Bearer key"}))
    assert r'{"GET", "/a?q=\034x\092y\034", nil, nil},' in lua
    assert r'{"POST", "/\195\169\010", "food_id=%C3%A4+b", "text/plain"},' in lua
    assert '["Authorization"] = "Bearer key"' in lua


def test_parameters_of_an_address_are_escaped() -> None:
    assert (
        address("/v1/foods/search", query="2% milk & co", limit=10)
        == "/v1/foods/search?query=2%25+milk+%26+co&limit=10"
    )


def test_what_wrk_says_is_read() -> None:
    load = parse_load(SAID % 0)
    assert (load.rate, load.p50, load.failures) == (500, 120, 0)
    assert load.check() is load


def test_one_answer_that_is_no_success_fails_the_load() -> None:
    with pytest.raises(LoadFailed, match="1 were no success"):
        parse_load(SAID % 1).check()
    with pytest.raises(LoadFailed, match="unable to connect"):
        parse_load("unable to connect to 127.0.0.1:1")


def test_commits_are_read_from_metrics_with_and_without_labels() -> None:
    text = 'provender_commits_total{worker="1"} 10\nprovender_commits_total{worker="2"} 30\n'
    assert parse_commits(text) is None
    assert parse_commits(text + "provender_commit_writes_total 400\n") == (40, 400)
    assert parse_commits(text + "provender_commit_writes_sum 400.0\n") == (40, 400)
    assert parse_commits("provender_commit_writes_sum 400\nprovender_commit_writes_count 20\n") == (20, 400)


def test_syncs_are_read_from_strace() -> None:
    report = """% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 99.00    0.100000         100      1000           fdatasync
  1.00    0.001000         100        10         2 fsync
------ ----------- ----------- --------- --------- ----------------
100.00    0.101000         100      1010         2 total
"""
    assert count_syncs(report) == 1010


def test_statements_are_counted_on_the_wire_however_it_is_cut() -> None:
    startup = (8).to_bytes(4, "big") + b"abcd"
    bind, execute, sync = (kind + (4).to_bytes(4, "big") for kind in (b"B", b"E", b"S"))
    query = b"Q" + (6).to_bytes(4, "big") + b"E\0"
    sent = startup + bind + execute + sync + query
    assert Messages().read(sent) == 2
    messages = Messages()
    assert sum(messages.read(sent[place : place + 1]) for place in range(len(sent))) == 2


def test_the_time_of_the_load_generator_is_set_off() -> None:
    assert set_off(1500, load_cpu_s=1.0, seconds=2.0) == 2000


def test_a_slow_service_gets_fewer_connections_for_longer() -> None:
    fast, slow, slowest = (choose_pace(seconds, 3, 10) for seconds in (0.001, 0.05, 2.0))
    assert (fast.connections, fast.seconds) == (64, 3)
    assert (slow.connections, slow.seconds) == (10, 10)
    assert slowest.connections == 4


def test_queries_are_common_words_and_pairs_of_one_name_and_always_the_same() -> None:
    names = ["Whole Milk", "Milk Chocolate", "Dark Chocolate 85%", "Whole Wheat Bread"] * 3
    words, pairs = draw_queries(names, 6, 5)
    assert (words, pairs) == draw_queries(names, 6, 5)
    assert len(words) == 6
    assert pairs
    for query in (*words, *pairs):
        assert any(set(query.split()) <= set(name.lower().split()) for name in names)


def test_templates_have_as_many_logs_on_each_day_up_to_today() -> None:
    foods = [f"food{number}" for number in range(50)]
    template = plan_templates(foods, date(2026, 11, 15), count=1)[0]
    days = [log.day for log in template.logs]
    assert (days[0], days[-1]) == (date(2026, 10, 17), date(2026, 11, 15))
    assert {days.count(day) for day in days} == {2}
    assert len(set(template.favorites)) == len(template.favorites) > 10


def test_the_profiles_that_are_asked_for_are_spread_over_all() -> None:
    assert find_full(1_000, 1_000)[-1] == 1_000
    assert find_full(1_000_000, 1_000)[:2] == [1_000, 2_000]


def test_who_is_logged_to_is_never_read() -> None:
    calls = {call.name: call for call in main_calls(NO_FOODS, range(1, 41))}
    read = {sent.path.partition("profile_reference_id=")[2].partition("&")[0]
            for sent in calls["favorites, 10 foods a page"].provender}  # fmt: skip
    written = {(sent.body or "").partition("=")[2].partition("&")[0] for sent in calls["log a food, durable"].provender}
    assert read
    assert written
    assert not read & written
    assert {sent.method for sent in profile_calls(NO_FOODS, range(1, 41))[-1].provender} == {"POST"}


def test_every_row_of_a_full_run_has_a_name_of_its_own() -> None:
    titles = [row.title for part in PARTS for row in part.plan(Sizes())]
    assert len(set(titles)) == len(titles)


def test_a_quick_run_says_what_it_leaves_out() -> None:
    missing = left_out(QUICK)
    assert "Two workers against one: all rows" in missing
    assert "the PostgreSQL column of every row" in missing
    assert left_out(Sizes()) == []


def test_data_is_made_once_and_again_when_what_it_depends_on_has_changed(tmp_path: Path) -> None:
    said: list[str] = []
    stock = Stock(tmp_path, said.append)
    made: list[str] = []

    def make(path: Path) -> None:
        made.append(path.name)
        path.write_text("data")

    first = stock.make("foods-5", "a" * 12, make)
    assert stock.make("foods-5", "a" * 12, make) == first
    second = stock.make("foods-5", "b" * 12, make)
    assert second.read_text() == "data"
    assert not first.exists()
    assert len(made) == 2
