"""What the golden files hold: commands, at the widths and with the files that each shows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from assay.cli import command_line

__all__ = ["CASES", "Case"]

PIPE = 0  # columns where the output is no terminal


@dataclass(frozen=True)
class Case:
    """One command, run in a fresh copy of the inputs."""

    name: str
    command: str
    columns: int = PIPE
    before: tuple[str, ...] = ()  # commands that prepare the folder, whose output is not shown
    files: tuple[str, ...] = ()  # what it writes, which is shown too
    stdin: str = ""
    benchmark: bool = False  # starts in a folder where bench.yaml was run
    measured: bool = False  # holds times, ids or the machine, which are left out
    digits: int = 12  # significant ones that are compared


def _text(name: str, command: str, *, wide: bool = False, **more: object) -> Iterator[Case]:
    """Show a command on a terminal of 80 columns, and of 120 where it prints tables."""
    for columns in (80, 120) if wide else (80,):
        yield Case(f"{name}.{columns}", command, columns, **more)  # type: ignore[arg-type]


def _json(name: str, command: str, **more: object) -> Iterator[Case]:
    yield Case(f"{name}.json", f"{command} --json", **more)  # type: ignore[arg-type]


def _both(name: str, command: str, *, wide: bool = False, **more: object) -> Iterator[Case]:
    yield from _text(name, command, wide=wide, **more)
    yield from _json(name, command, **more)


def _written(name: str, command: str, *files: str, **more: object) -> Iterator[Case]:
    """Show the files that a command writes."""
    outputs = " ".join(f"-o {file}" for file in files)
    yield Case(f"{name}.files", f"{command} {outputs}", files=files, **more)  # type: ignore[arg-type]


def _helps(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[Case]:
    context = click.Context(command)
    yield from _text("-".join(("help", *path)), " ".join((*path, "--help")))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from _helps(below, (*path, name))


TABLES = ("x.csv", "x.md", "x.tex", "x.parquet")  # --json shows what x.json would hold
METRICS = "-m ndcg@10,recall(rel=2)@5 -m mrr,ap,rbp(p=0.8),judged@10,bpref"
RUNS = "base.run better.run alike.run"
COMPARE = f"compare {RUNS} --qrels qrels.txt -m ndcg@10,recall@5"
CHARTS = "quality scores differences categories effects energy latency load waterfall"
BY_MODEL: Any = {"digits": 5, "measured": True}  # vectors differ in the last bits by machine
INDEXED = ("index docs --model static",)


def _evaluations() -> Iterator[Case]:
    yield from _both("eval-one", "eval qrels.txt base.run")
    yield from _both("eval-several", f"eval qrels.txt {RUNS} {METRICS}", wide=True)
    yield from _both("eval-per-query", "eval qrels.txt alike.run -m ndcg@5 --per-query")
    yield from _both("eval-intervals", f"eval qrels.txt {RUNS} -m ndcg@5 --intervals")
    yield from _both("eval-expected-ties", "eval qrels.txt alike.run --ties expected")
    yield from _both("eval-bounds", f"eval qrels.txt {RUNS} -m ndcg@5 --unjudged bounds")
    yield from _json("eval-missing-skipped", "eval qrels.txt alike.run --missing skip")
    yield from _written("eval", f"eval qrels.txt {RUNS} -m ndcg@10,ap", "x.json", *TABLES)
    yield from _both("compare", COMPARE, wide=True)
    yield from _both("compare-zero", f"{COMPARE} --unjudged zero --check")
    yield from _json("compare-max-t", f"{COMPARE} --correction max_t --check-all")
    yield from _written("compare", COMPARE, *TABLES)
    yield from _both("compare-reports", "compare report.json:bm25 report.json:dense")
    yield from _both("eval-weighted", f"eval weighted.csv {RUNS} -m ndcg@10 --intervals")
    yield from _both("compare-weighted", f"compare {RUNS} --qrels weighted.csv -m ndcg@10")
    yield from _both("dataset-audit-weighted", "dataset audit weighted.csv")


def _differences() -> Iterator[Case]:
    runs = "diff base.run better.run --queries log.csv"
    yield from _both("diff", f"{runs} --most 6", wide=True)
    yield from _text("diff-query", f"{runs} --query q03")
    yield from _text("diff-report", "diff report.json bm25 dense --sort change --most 4")
    yield from _written("diff", runs, *TABLES)
    judge = f"{runs} --to-judge new.csv --sample 4 --most 0"
    yield from _text("diff-to-judge", judge, files=("new.csv",))


def _datasets() -> Iterator[Case]:
    for name in ("queries.json", "expected.yaml", "qrels.txt", "faulty.json"):
        yield from _both(f"dataset-check-{name.partition('.')[0]}", f"dataset check {name}")
    yield Case("dataset-check-schema", "dataset check queries.json --schema")
    for name in ("queries", "weak"):
        yield from _both(f"dataset-audit-{name}", f"dataset audit {name}.json", wide=True)
    yield from _written("dataset-audit", "dataset audit weak.json", *TABLES)
    yield from _both("dataset-resolve-weak", "dataset resolve weak.json --corpus docs --check")
    yield from _both("dataset-resolve-expected", "dataset resolve expected.yaml --corpus docs")
    yield from _written("dataset-resolve", "dataset resolve weak.json --corpus docs", *TABLES)
    for to in ("yaml", "tsv", "csv"):
        convert = f"dataset convert queries.json -o new.{to}"
        yield from _text(f"dataset-convert-{to}", convert, files=(f"new.{to}",))
    yield from _json("dataset-convert-yaml", "dataset convert queries.json -o new.yaml --check")
    made = "dataset make exact-match --queries 3 --documents 12 -o made"
    yield from _text("dataset-make", made, files=("made",))


def _searches() -> Iterator[Case]:
    lexical = 'search docs "send a failed request again" --search lexical -k 3'
    dense = 'search docs "send a failed request again" --model static -k 3'
    yield from _both("search-lexical", lexical, wide=True, measured=True)
    yield from _both("search-explain-lexical", f"{lexical} --explain", wide=True, measured=True)
    yield from _both("search-explain-hybrid", f"{dense} --explain", **BY_MODEL)
    yield from _both("search-coherence", f"{dense} --coherence --explain", **BY_MODEL)
    yield from _text("search-why-not", f"{dense} --why-not license.md", **BY_MODEL)
    yield from _both("index", "index docs --search lexical", measured=True)
    yield from _both("index-again", "index docs --model static", before=INDEXED, measured=True)
    health = "health docs --model static --dataset queries.json"
    yield from _both("health", health, wide=True, before=INDEXED, **BY_MODEL)
    yield from _text("health-explain", f"{health} --explain", before=INDEXED, **BY_MODEL)
    yield from _written("health", health, *TABLES, before=INDEXED, **BY_MODEL)
    small = "uplift --queries 12 --documents 60 --clusters 12 --dimension 16 --candidates 40"
    small += " --noise 0.5,1 --spread 1"
    yield from _both("uplift", small, wide=True, **BY_MODEL)


def _benchmarks() -> Iterator[Case]:
    run = "run bench.yaml --untimed"
    yield from _text("run", run, **BY_MODEL)
    yield from _written("run", run, "x.json", **BY_MODEL)
    yield from _text("run-again", f"{run} --check", wide=True, benchmark=True, **BY_MODEL)
    yield from _text("run-alone", "run alone.yaml --untimed", measured=True)
    yield Case("run-plan", "run bench.yaml --plan --untimed", measured=True)
    yield from _json("run-plan", "run bench.yaml --plan --untimed", measured=True)
    yield from _both("show-list", "show", benchmark=True, measured=True)
    yield from _both("cache", "cache", benchmark=True, measured=True)
    yield from _both("workspace-show", "workspace show", benchmark=True, measured=True)
    yield from _text("workspace-show-none", "workspace show")
    copy = "workspace backup copy.sqlite"
    yield from _both("workspace-backup", copy, benchmark=True, measured=True)
    judge = "judge bench.yaml --judge ada --most 3"
    judged: Any = {"stdin": "2\n0\ns\n1\n", "benchmark": True, "files": ("judged.json",)}
    yield from _both("judge", judge, **judged, **BY_MODEL)
    yield from _text("init", "init . -o new.yaml", files=("new.yaml",))


def _reports() -> Iterator[Case]:
    yield from _both("show", "show report.json", wide=True)
    yield from _both("show-run", "show report.json --run structure")
    yield from _both("show-query", "show report.json --query search-1", wide=True)
    yield from _both("report", "report report.json", wide=True)
    yield from _text("report-all", "report report.json --all", wide=True)
    yield from _text("report-load", "report report.json --load 50 --cores 4 --price 0.04")
    yield from _written("report", "report report.json", "x.json", *TABLES)
    yield from _written("report-page", "report report.json", "x.html")
    for chart in CHARTS.split():
        yield from _written(f"report-chart-{chart}", "report report.json", f"{chart}.svg")
    coherence = ("x.consciousdb.json", "x.consciousdb.md")
    yield from _written("report-consciousdb", "report report.json --run structure", *coherence)
    for shape in ("akashic", "exocortex"):
        file = f"x.{shape}.json"
        yield from _written(f"report-{shape}", "report report.json --run bm25", file)


def _lists() -> Iterator[Case]:
    yield from _both("list", "list")
    kinds = command_line.get_command(click.Context(command_line), "list").params[0].type.choices  # type: ignore[union-attr]
    for kind in kinds:
        yield from _text(f"list-{kind}", f"list {kind}")


ERRORS = {
    "no-command": "evall",
    "no-option": "eval qrels.txt base.run --jsn",
    "no-file": "eval qrels.txt bas.run",
    "no-metric": "eval qrels.txt base.run -m ndgc@10",
    "bad-metric": "eval qrels.txt base.run -m ndcg@0,recall",
    "swapped-files": "eval base.run qrels.txt",
    "no-argument": "eval qrels.txt",
    "no-extension": "eval qrels.txt base.run -o scores.xls",
    "misspelled-settings": "run misspelled.yaml",
    "no-benchmark": "run bnch.yaml",
    "no-suite": "run bench.yaml --suite quik",
    "no-model": "search docs x --model statik",
    "no-corpus": "search dcs x",
    "no-chart": "report report.json -o qualty.svg",
    "nothing-to-draw": "report report.json -o clusters.svg",
    "no-report": "show 12345678",
    "no-run": "show report.json --run hybird",
    "no-query": "show report.json --query retry",
    "no-reports": "report",
    "no-kind": "list metric",
    "no-format": "dataset check queries.json --format beri",
    "no-index": "health docs --model static",
    "no-setting": "search docs x --model static --coherence --override alfa=1",
    "not-json": "show qrels.txt",
    "no-ledger": "workspace backup copy.sqlite",
}


def _errors() -> Iterator[Case]:
    for name, command in ERRORS.items():
        yield from _text(f"error-{name}", command)


def _all() -> Iterator[Case]:
    groups = (_evaluations, _differences, _datasets, _searches, _benchmarks, _reports, _lists)
    for group in (*groups, _errors):
        yield from group()
    yield from _helps(command_line)


CASES = {re.sub(r"[^\w.-]", "-", case.name): case for case in _all()}
