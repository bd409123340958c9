"""A benchmark file (YAML or JSON), or a mapping of its shape -> a benchmark."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.benchmarks._applicable import unseen
from assay.benchmarks._openable import unopened
from assay.benchmarks._places import beside, dataset_place, nearby
from assay.benchmarks._problems import Problems
from assay.benchmarks._settings import near
from assay.benchmarks.budgets import BUDGETS
from assay.benchmarks.configuration import configuration, problems
from assay.columns import Source
from assay.columns.strict_json import strict_json
from assay.columns.strict_yaml import strict_yaml
from assay.errors import InputError
from assay.metrics import parse, parse_all
from assay.records import Benchmark, Configuration, Metric

__all__ = ["read_benchmark"]

PRIMARY = "ndcg@10"
KEYS = [
    "name",
    "description",
    "dataset",
    "corpus",
    "metrics",
    "primary",
    "baseline",
    "budgets",
    "margin",
]
KEYS += ["configurations"]
# The words for what a later version does: refused by name, not as a misspelling.
LATER = ("datasets", "matrix", "race", "resume", "ship_if", "suites", "tapes", "unit")
FOLDERS = ("model", "rerank")  # settings that may name a folder beside the file
MOST = 1_000  # configurations: more is a mistake
HOW = "see `assay run --help`; the smallest file has a dataset and one configuration"


def read_benchmark(where: str | Path | Mapping[str, Any]) -> Benchmark:
    """Read a benchmark; all that is wrong with it is told at once.

    Paths are relative to the file, or to the working directory for a mapping.

    >>> given = {"dataset": "stdlib", "configurations": [{"name": "bm25", "search": "lexical"}]}
    >>> read_benchmark(given).primary
    'ndcg@10'
    """
    if isinstance(where, Mapping):
        found = Problems("benchmark", is_file=False)
        return _benchmark(dict(where), found, home="", name="benchmark")
    with Source(where) as source:
        content = source.read_all()
    value, line = _parsed(content, source.name)
    found = Problems(source.name, line)
    path = source.path
    home, name = (str(path.parent), path.stem) if path else ("", "benchmark")
    if not isinstance(value, dict):
        raise InputError("is no benchmark: it has no keys", where=source.name, hint=HOW)
    return _benchmark(value, found, home=home, name=name)


def _parsed(content: bytes, name: str) -> tuple[Any, Callable[..., int] | None]:
    """Read YAML, or JSON by the name of the file."""
    if name.lower().endswith((".json", ".json.gz")):
        return strict_json(content, where=name), None
    parsed = strict_yaml(content, where=name)
    return parsed.value, parsed.line


def _benchmark(given: dict[str, Any], found: Problems, *, home: str, name: str) -> Benchmark:
    _refuse_unknown(given, found)
    metrics = _metrics(given, found)
    configurations = _configurations(given, found, home, metrics)
    benchmark = Benchmark(
        name=_text(given, "name", found) or name,
        description=_text(given, "description", found),
        dataset=_dataset(given, found, home),
        corpus=_corpus(given, found, home),
        configurations=configurations,
        metrics=tuple(map(str, metrics)),
        baseline=_baseline(given, found),
        budgets=_budgets(given, found),
        margin=_margin(given, found),
        home=home,
        file=found.where if found.is_file else "",
    )
    found.refuse()
    first = configurations[0].name if len(configurations) > 1 else ""
    return replace(benchmark, baseline=benchmark.baseline or first)


def _refuse_unknown(given: dict[str, Any], found: Problems) -> None:
    for key in given:
        if key in LATER:
            hint = "leave it out: one dataset and a list of configurations can be run"
            found.add([key], f"{key} is not supported yet", hint)
        elif key not in KEYS:
            found.add([key], f'a benchmark has no "{str(key)[:60]}"', near(str(key), KEYS))


def _text(given: dict[str, Any], key: str, found: Problems) -> str:
    value = given.get(key)
    if value is None:
        return ""
    if not isinstance(value, str) or not value.strip():
        found.add([key], f"{key} cannot be {_short(value)}", "give a text")
        return ""
    return value


def _metrics(given: dict[str, Any], found: Problems) -> list[Metric]:
    """Read the metrics, the primary one first."""
    named = given.get("metrics")
    if named is not None and (not named or not isinstance(named, str | list)):
        found.add(["metrics"], f"metrics cannot be {_short(named)}", "e.g. [ndcg@10, recall@5]")
        named = None
    texts = named.split(",") if isinstance(named, str) else named or []
    read = [_metric(text, ["metrics", at], found) for at, text in enumerate(texts)]
    wanted = [metric for metric in read if metric] if named else parse_all()
    primary = _metric(given.get("primary") or PRIMARY, ["primary"], found)
    if primary is None:
        return wanted
    if not primary.kind.higher_is_better:
        hint = "choose a metric of which more is better, e.g. ndcg@10"
        found.add(["primary"], f"{primary} cannot decide: less of it is better", hint)
    return [primary, *{str(one): one for one in wanted if str(one) != str(primary)}.values()]


def _metric(text: object, path: list[str | int], found: Problems) -> Metric | None:
    try:
        return parse(text if isinstance(text, str) else repr(text))
    except InputError as error:
        found.add(path, error.problem, error.hint)
        return None


def _dataset(given: dict[str, Any], found: Problems, home: str) -> str:
    value = given.get("dataset")
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        if "datasets" not in given:
            what = "names no dataset" if value is None else f"dataset cannot be {_short(value)}"
            found.add(["dataset"], what, "dataset: PATH, or the name of a shipped one")
        return ""
    place = dataset_place(value, home)
    if place is None:
        hint = nearby(value, home, but=found.where)
        found.add(["dataset"], f'there is no dataset "{value[:200]}"', hint)
    return place or ""


def _corpus(given: dict[str, Any], found: Problems, home: str) -> str | dict[str, Any] | None:
    value = given.get("corpus")
    if value is None or (isinstance(value, str | dict) and value):
        _refuse_missing(value, found, home)
        return value
    hint = "give a path, or a mapping such as {path: src, include: ['**/*.py']}"
    found.add(["corpus"], f"corpus cannot be {_short(value)}", hint)
    return None


def _refuse_missing(value: str | dict[str, Any] | None, found: Problems, home: str) -> None:
    """Open the corpus, of which nothing is read yet: what is wrong is told with its line."""
    from assay.corpora.open_corpus import open_corpus

    try:
        _ = None if value is None else open_corpus(value, relative_to=home)
    except InputError as error:
        place = "" if error.where in ("", "corpus") else f"{error.where}: "
        found.add(["corpus"], f"{place}{error.problem}", error.hint)


def _configurations(
    given: dict[str, Any], found: Problems, home: str, metrics: list[Metric]
) -> tuple[Configuration, ...]:
    value = given.get("configurations")
    if not isinstance(value, list) or not value or len(value) > MOST:
        what = "names no configurations" if not value else "configurations must be a list"
        what = what if not isinstance(value, list) or not value else f"more than {MOST:,} of them"
        found.add(["configurations"], what, "e.g. configurations: [{name: default}]")
        return ()
    cutoff = max((metric.k or 0 for metric in metrics), default=0) or None
    read = [_configuration(one, at, found, home, cutoff) for at, one in enumerate(value)]
    _refuse_twice(value, found)
    return tuple(one for one in read if one)


def _configuration(
    given: object, at: int, found: Problems, home: str, cutoff: int | None
) -> Configuration | None:
    path: list[str | int] = ["configurations", at]
    if not isinstance(given, dict):
        hint = "e.g. {name: bm25, search: lexical}"
        found.add(path, f"{_short(given)} is no configuration", hint)
        return None
    placed = given | {key: beside(given[key], home) for key in FOLDERS if key in given}
    if placed.get("name") is None:
        found.add(path, "has no name", "name: what reports call it")
        placed["name"] = "unnamed"
    wrong = problems(placed, cutoff=cutoff) or [*unseen(placed), *unopened(placed)]
    for key, problem, hint in wrong:
        found.add([*path, *key.split(".")], f"{key} {problem}", hint)
    return None if wrong else configuration(placed)


def _refuse_twice(configurations: list[Any], found: Problems) -> None:
    seen: set[str] = set()
    for at, one in enumerate(configurations):
        name = one.get("name") if isinstance(one, dict) else None
        if isinstance(name, str) and name in seen:
            hint = "give each configuration a name of its own"
            found.add(["configurations", at, "name"], f'the name "{name[:60]}" stands twice', hint)
        seen |= {name} if isinstance(name, str) else set()


def _baseline(given: dict[str, Any], found: Problems) -> str:
    baseline = _text(given, "baseline", found)
    listed = given.get("configurations")
    listed = listed if isinstance(listed, list) else []
    names = [one.get("name") for one in listed if isinstance(one, dict)]
    if baseline and baseline not in names:
        hint = near(baseline, [name for name in names if isinstance(name, str)])
        found.add(["baseline"], f'no configuration is called "{baseline[:60]}"', hint)
    return baseline


def _budgets(given: dict[str, Any], found: Problems) -> dict[str, float]:
    value = given.get("budgets")
    if value is None:
        return {}
    if not isinstance(value, dict):
        found.add(["budgets"], f"budgets cannot be {_short(value)}", "e.g. {latency_p95_ms: 50}")
        return {}
    for name, most in value.items():
        path = ["budgets", str(name)]
        if name not in BUDGETS:
            found.add(path, f'there is no budget "{path[1][:60]}"', near(path[1], [*BUDGETS]))
        elif isinstance(most, bool) or not isinstance(most, int | float) or most < 0:
            found.add(path, f"{name} cannot be {_short(most)}", "give a number from 0 on")
    return value


def _margin(given: dict[str, Any], found: Problems) -> float:
    value = given.get("margin", 0.02)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
        hint = "give a share of the baseline's score, e.g. 0.02"
        found.add(["margin"], f"margin cannot be {_short(value)}", hint)
        return 0.02
    return float(value)


def _short(value: object) -> str:
    shown = "null" if value is None else repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
