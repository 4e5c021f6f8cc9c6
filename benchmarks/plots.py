"""Draws the two plots of a result: cost against size, and throughput beside others.

    .venv-bench/bin/python -m benchmarks.plots benchmarks/results/latest.json [--to docs/images]

The same result gives the same files, byte for byte. They have a background of their own, so that they can be read on
light and on dark pages.
"""

import argparse
import json
import re
import statistics
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")

from matplotlib import pyplot as plt

_BARE, _FASTAPI, _DATASETTE = "bare app", "FastAPI", "Datasette"
_COLOURS = {_BARE: "#9aa5b1", "SQLite": "#1f6f54", _FASTAPI: "#c8763a", _DATASETTE: "#5b6fb5"}
_TITLES = {
    "SQLite": "Provender",
    _BARE: "bare app, the limit",
    _FASTAPI: "FastAPI + SQLAlchemy",
    _DATASETTE: "Datasette",
}
_LINES = ("#1f6f54", "#c8763a", "#5b6fb5", "#8a4f7d", "#7a7a2f", "#b0413e")
_SETTINGS = {
    # Without a salt the ids in the file would differ from run to run.
    "svg.hashsalt": "provender",
    "svg.fonttype": "path",
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "text.color": "#222222",
    "axes.labelcolor": "#222222",
    "axes.edgecolor": "#888888",
    "xtick.color": "#222222",
    "ytick.color": "#222222",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def draw_growth(rows: list[dict[str, Any]], file: Path) -> None:
    """The median latency over HTTP against the number of foods, logs or profiles, a line for each call."""
    figure, axes = plt.subplots(figsize=(9, 5))
    lines = [(row, points) for row in rows if (points := _points(row))]
    for number, (row, points) in enumerate(lines):
        sizes, values = zip(*points, strict=True)
        label = f"{row['details']['call'].removesuffix(', 10 foods a page')} ({_kind(row)})"
        axes.plot(sizes, values, marker="o", label=label.replace("with the number of foods", "search"),
                  color=_LINES[number % len(_LINES)])  # fmt: skip
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("foods, or logs of the profile, as the line says (log scale)")
    axes.set_ylabel("median latency over HTTP, ms")
    axes.set_title("What a call costs, as data grows", loc="left")
    axes.grid(axis="y", color="#e3e3e3")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    _save(figure, file)


def _points(row: dict[str, Any]) -> list[tuple[int, float]]:
    """Sizes and milliseconds on SQLite; nothing for rows of another kind."""
    if row["details"].get("way") != "over HTTP" or "profiles" in _kind(row):
        return []
    measured = row["details"].get("p50_us", {}).get("SQLite", {})
    points = [(int(found[1].replace(",", "")), statistics.median(values) / 1000)
              for size, values in measured.items() if (found := re.match(r"([\d,]+) \w+$", size))]  # fmt: skip
    return sorted(points)


def _kind(row: dict[str, Any]) -> str:
    """What grows: foods, logs or profiles."""
    sizes = row["details"].get("p50_us", {}).get("SQLite", {})
    return next(iter(sizes), "").rpartition(" ")[2]


def draw_throughput(rows: list[dict[str, Any]], file: Path) -> None:
    """Requests a second, 64 connections: a group of bars for each call, a bar for each service."""
    calls: dict[str, dict[str, float]] = {}
    for row in rows:
        rates = row["details"].get("requests_per_second", {})
        if _BARE in rates or _FASTAPI in rates:
            taken = {name: statistics.median(values) for name, values in rates.items() if values and name in _COLOURS}
            calls.setdefault(row["details"]["call"], {}).update(taken)
    figure, axes = plt.subplots(figsize=(9, 6))
    width = 0.2
    for place, name in enumerate(_COLOURS):
        present = [(number, rates[name]) for number, rates in enumerate(calls.values()) if name in rates]
        positions = [number + (place - 1.5) * width for number, _ in present]
        bars = axes.barh(positions, [rate for _, rate in present], height=width, color=_COLOURS[name],
                         label=_TITLES[name])  # fmt: skip
        axes.bar_label(bars, fmt="{:,.0f}", padding=3, fontsize=8)
    axes.set_yticks(range(len(calls)), [call.replace(", ", ",\n") for call in calls])
    axes.invert_yaxis()
    # Not a log scale: there the length of a bar would mean nothing.
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.margins(x=0.12)
    axes.set_xlabel("requests a second, one worker on one core, 64 connections")
    axes.set_title("Throughput beside others, on the same data", loc="left")
    axes.legend(frameon=False, ncols=4, loc="upper center", bbox_to_anchor=(0.45, -0.1))
    _save(figure, file)


def _save(figure: Any, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, bbox_inches="tight", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    # A blank at the end of a line is of no use to anybody.
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join(line.rstrip() for line in lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the plots of a result.")
    parser.add_argument("result", type=Path)
    parser.add_argument("--to", type=Path, default=Path(__file__).parents[1] / "docs" / "images")
    arguments = parser.parse_args()
    rows = json.loads(arguments.result.read_text(encoding="utf-8"))["rows"]
    with mpl.rc_context(_SETTINGS):
        draw_growth(rows, arguments.to / "benchmark-growth.svg")
        draw_throughput(rows, arguments.to / "benchmark-throughput.svg")


if __name__ == "__main__":
    main()
