"""Tables of the analysis, with the words of a page."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report, Table
from assay.reports.runs.phrases.run_numbers import is_numbered
from assay.reports.text import text

__all__ = ["analysed", "prepared"]

BROAD = 9  # columns that need the whole width
LETTERS = 128  # that fit beside the words about a table; a column takes some for its edges
EDGES = 4
# What a mark in a table means, where it is not the best of a column.
MARKS = {
    "waterfall": "largest loss of the run",
    "main_effects": "significant (p < 0.05 after Holm correction)",
    "pareto": "on the front",
}
TITLES = {
    "approximate": "Approximate dense search",
    "costs": "Cost per month",
    "load": "Capacity",
    "loads": "Latency under load",
    "pareto": "Pareto front",
    "waterfall": "Loss by stage",
    "latency_across": "Latency by setting",
}
# What a table shows, where a finding at the top of the page says what follows from it.
SHOWS = {
    "uplift": "Gain of each run over the baseline.",
    "main_effects": "Effect of one setting at a time; others are equal, or at defaults that "
    "follow from it.",
    "waterfall": "What each stage loses of a perfect score.",
    "categories": "Scores by category of queries.",
    "breakdowns": "Scores by fields of queries or of their relevant documents.",
    "leaked": "Scores without the leaked queries.",
    "time_to_answer": "Rank of the first relevant result.",
    "latency_across": "Latency by numeric setting.",
    "approximate": "Recall, latency of dense search, and score of approximate indexes.",
    "pareto": "Runs that no other run beats on every axis.",
    "load": "Simulated capacity and cost of each run.",
}
# What the rows of a table are about, by how they begin.
TERMS = {
    "given: ": "Given: as the dataset labels it.",
    "measured: ": "Measured: thirds of the queries by mean score over all runs.",
    "predicted: ": "Predicted: without judgments, from the spread of the top scores and the "
    "agreement between runs.",
}


def analysed(report: Report) -> list[dict[str, Any]]:
    """Return every table that there is something to learn from, under the name of its question."""
    from assay.reports.analysis.tables import EACH

    names = [run.name for run in report.runs]
    made = [(one.__name__, one(report)) for one in EACH]
    return [_titled(name, table, names) for name, table in made if table is not None and table.rows]


def _titled(name: str, table: Table, runs: Sequence[str]) -> dict[str, Any]:
    title = TITLES.get(name, name.replace("_", " ").capitalize())
    told = {"name": name, "heading": title, "marks": MARKS.get(name, "")}
    told |= {"shows": SHOWS.get(name, ""), "terms": _terms(table) if name == "difficulty" else ""}
    return prepared(table, runs) | told


def prepared(table: Table, runs: Sequence[str] = ()) -> dict[str, Any]:
    """Return what a template needs: texts, which are words, the best, or the name of a run."""
    count = len(table.titles)
    words = [_is_words(table, column) for column in range(count)]
    numbers = {name: number for number, name in enumerate(runs, 1)}
    rows = [
        {
            "run": numbers.get(str(table.rows[row][0]), 0),
            "cells": [
                {
                    "text": _dashed(_arrowed(text(table, row, column).strip())),
                    "best": (row, column) in table.best,
                    "words": words[column],
                }
                for column in range(min(count, len(table.rows[row])))
            ],
        }
        for row in range(len(table.rows))
    ]
    titles = [
        {
            "text": title,
            "words": is_words,
            "run": (at := _numbered(title, runs)),
            "name": runs[at - 1] if at else "",
        }
        for title, is_words in zip(table.titles, words, strict=True)
    ]
    broad = count > BROAD or _width(titles, rows) > LETTERS
    told = {"heading": "", "caption": _arrowed(table.caption), "marks": "", "broad": broad}
    told |= {"shows": "", "terms": "", "numbered": is_numbered(runs or [""])}
    return {"titles": titles, "rows": rows, **told}


def _terms(table: Table) -> str:
    """Define the words that rows begin with."""
    starts = [str(row[0]) for row in table.rows]
    return " ".join(
        meaning for term, meaning in TERMS.items() if any(one.startswith(term) for one in starts)
    )


def _width(titles: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> int:
    """Count the letters that a table needs if no cell is broken, but words over 40."""
    texts = [[title["text"]] for title in titles]
    for row in rows:
        for column, cell in enumerate(row["cells"]):
            texts[column].append(cell["text"])
    return sum(min(max(map(len, column)), 40) + EDGES for column in texts)


def _arrowed(said: str) -> str:
    """Write changes as a page can: a terminal may have no arrows."""
    return said.replace(" -> ", " → ")


def _dashed(said: str) -> str:
    """Write what is not there as the rest of the page does; a minus has a number behind it."""
    return "–" if said == "-" else said


def _numbered(title: str, runs: Sequence[str]) -> int:
    """Return the number of the run that a column is about, 0 if it is about none."""
    if title in runs:
        return [*runs].index(title) + 1
    return int(title) if title.isdecimal() and 0 < int(title) <= len(runs) else 0


def _is_words(table: Table, column: int) -> bool:
    cells = [row[column] for row in table.rows if column < len(row)]
    return column in table.names or any(isinstance(cell, str) and cell != "-" for cell in cells)
