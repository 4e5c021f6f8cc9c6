"""A report as Markdown, and as the JSON that the plots are drawn from."""

import itertools
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from benchmarks.bench.results import COLUMNS, Figure, Report, Row, Verdict, write_number


def make_markdown(report: Report) -> str:
    lines = [*_head(report), ""]
    columns = [column for column in COLUMNS if any(column in row.figures for row in report.rows)]
    for section, rows in itertools.groupby(report.rows, key=lambda row: row.section):
        lines += [f"## {section}", "", *_table(list(rows), columns), ""]
    lines += _left_out(report)
    return "\n".join(lines).rstrip() + "\n"


def _head(report: Report) -> Iterator[str]:
    machine = report.machine
    yield "# Provender, measured"
    yield ""
    yield f"{machine['date']}, commit {machine['commit']}, {report.seconds / 60:.1f} minutes."
    yield f"{machine['machine']}, {machine['cores']} cores, {machine['memory']}."
    yield ", ".join(f"{name} {version}" for name, version in machine["versions"].items()) + "."
    yield ""
    yield f"{machine['pinning']} " + " ".join(report.settings.get("remarks", ()))
    yield ""
    counted = [verdict for row in report.rows for column in COLUMNS if (verdict := row.verdict(column)) is not None]
    yield ", ".join(f"{counted.count(verdict)} {verdict.value}" for verdict in Verdict) + "."


def _table(rows: list[Row], columns: list[str]) -> Iterator[str]:
    titles = "".join(f" {column} | min to max | |" for column in columns)
    yield f"| | goal |{titles} how it came about |"
    yield f"|---|---:|{'---:|---:|---|' * len(columns)}---|"
    for row in rows:
        cells = "".join(f" {' | '.join(_cells(row, column))} |" for column in columns)
        yield f"| {row.name} | {row.goal} |{cells} {'; '.join(_notes(row))} |".replace("\n", " ")


def _cells(row: Row, column: str) -> tuple[str, str, str]:
    figure, verdict = row.figures.get(column), row.verdict(column)
    if figure is None or verdict is None:
        return "", "", ""
    if figure.value is None:
        return "", "", f"**{verdict.value}**"
    return f"{write_number(figure.value)}{row.goal.unit}", _spread(figure), _emphasise(verdict)


def _spread(figure: Figure) -> str:
    if figure.low is None or figure.high is None or figure.samples < 2:
        return ""
    return f"{write_number(figure.low)} to {write_number(figure.high)}"


def _emphasise(verdict: Verdict) -> str:
    return verdict.value if verdict is Verdict.MET else f"**{verdict.value}**"


def _notes(row: Row) -> Iterator[str]:
    yield from (note.replace("|", "/") for note in row.notes)
    for column, figure in row.figures.items():
        if figure.error is not None:
            yield f"{column} failed: {figure.error.replace('|', '/')}"


def _left_out(report: Report) -> list[str]:
    if not report.left_out:
        return []
    return ["## Left out of this run", "", *(f"- {what}" for what in report.left_out)]


def make_json(report: Report) -> dict[str, Any]:
    return {
        "machine": dict(report.machine),
        "settings": dict(report.settings),
        "seconds": round(report.seconds, 1),
        "rows": [_row_json(row) for row in report.rows],
        "left_out": list(report.left_out),
    }


def _row_json(row: Row) -> dict[str, Any]:
    figures = {
        column: asdict(figure) | {"verdict": None if (v := row.verdict(column)) is None else v.value}
        for column, figure in row.figures.items()
    }
    return {
        "section": row.section,
        "name": row.name,
        "goal": {"bound": row.goal.bound, "at_least": row.goal.at_least, "unit": row.goal.unit},
        "figures": figures,
        "notes": row.notes,
        "details": row.details,
    }
