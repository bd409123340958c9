"""A benchmark file (YAML or JSON), or a mapping of its shape -> a benchmark."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.benchmarks.file import criteria as measured
from assay.benchmarks.file.cells import GivenConfiguration
from assay.benchmarks.file.datasets import VECTORS, instead, listed_datasets, with_limits
from assay.benchmarks.file.judged_datasets import holds_grades
from assay.benchmarks.file.listed_configurations import listed_configurations, ours
from assay.benchmarks.file.matrix import Matrix, multiplied
from assay.benchmarks.file.problems import BenchmarkProblems
from assay.benchmarks.file.semantik import semantik_metrics
from assay.columns import Source
from assay.columns.documents.strict_json import strict_json
from assay.columns.documents.strict_yaml import strict_yaml
from assay.datasets.first_keys import first_keys
from assay.errors import AssayError, InputError
from assay.records import Benchmark, Collection
from assay.records.command import asked_as
from assay.text.near_miss import did_you_mean

__all__ = ["is_benchmark", "read_benchmark"]

KEYS = [
    *("name", "description", "dataset", "datasets", "corpus", "metrics", "primary", "baseline"),
    *(
        "budgets",
        "margin",
        "alpha",
        "ship_if",
        "unjudged",
        "query_weights",
        "race",
        "match_weights",
        "unit",
        "breakdowns",
        "suite",
        "suites",
        "matrix",
    ),
    *("configurations", "configs", "config_matrix"),
]
# Every benchmark has one of these keys, and no dataset has.
TELLING = ("dataset", "datasets", "suite", "suites", *KEYS[-4:])
SCHEMA = "$schema"  # by which an editor knows the keys of a file
# Keys that a request to Semantik's service has beside its matrix.
OF_SEMANTIK = ("mapping_id", "top_k", "metrics_to_compute")
# Words for what a later version does, or an option: refused by name, not as a misspelling.
LATER = {
    "resume": ("this is not a key of a benchmark file", "use: assay run FILE --resume"),
    "tapes": (
        "this is not a key of a benchmark file",
        "remove it: stage outputs are always recorded; --live measures whole searches instead",
    ),
}
HOW = "a benchmark file needs at least a dataset and one configuration; `assay init` writes one"
STARTER = "assay.yaml"  # the file that `assay init` writes
HEAD = 1 << 16  # bytes of a file that is looked at
QUICK = "quick_test"  # the suite of a benchmark without a file


@dataclass(frozen=True, slots=True)
class _Overrides:
    """What options say in place of the file."""

    suite: str | None
    dataset: str | Path | None
    corpus: object
    model: str | None
    max_file_size: int | str | None
    criteria: Mapping[str, Any]
    command: Mapping[str, Any]

    def options(self) -> dict[str, str]:
        """Name, for each key of a file that an option replaces, the option."""
        keys = {"suite": self.suite, "dataset": self.dataset, "corpus": self.corpus}
        keys |= {"datasets": self.dataset, "configurations": self.model, **self.criteria}
        told = {"datasets": "--dataset", "configurations": "--model"}
        said = (key for key, value in keys.items() if value is not None)
        return {key: told.get(key, f"--{key.replace('_', '-')}") for key in said}


def read_benchmark(
    where: str | Path | Mapping[str, Any] | None = None,
    *,
    suite: str | None = None,
    dataset: str | Path | None = None,
    corpus: str | Path | Mapping[str, Any] | None = None,
    model: str | None = None,
    max_file_size: int | str | None = None,
    **criteria: Any,  # noqa: ANN401
) -> Benchmark:
    """Read a benchmark; all of its problems are reported together.

    Paths are relative to the file, or to the working directory for a mapping. ``suite`` selects the
    configurations to run, ``dataset`` and ``corpus`` replace the file's own; the name is still the
    file's. So do the ``criteria`` that are not None: ``primary``, ``margin``, ``alpha``,
    ``unjudged``, ``unit`` and ``query_weights``. Without a file a benchmark is made of them, or of
    one or more ``model`` names (separated by commas), and named after the dataset.

    >>> given = {"dataset": "stdlib", "configurations": [{"name": "bm25", "search": "lexical"}]}
    >>> read_benchmark(given).primary
    'ndcg@10'
    """
    chosen: dict[str, Any] = {"suite": suite, "dataset": dataset, "corpus": corpus, "model": model}
    stated = {name: one for name, one in criteria.items() if one is not None}
    asked = asked_as(where, **chosen, max_file_size=max_file_size, **stated)
    other = _Overrides(suite, dataset, corpus, model, max_file_size, stated, asked)
    if where is None:
        found = BenchmarkProblems("benchmark", is_file=False, options=other.options())
        made = _made(other)
        return _benchmark(made, found, other, home="", name=Path(str(other.dataset)).name)
    if model is not None:
        hint = "set model in the configurations of the file, or omit the file"
        raise InputError("a benchmark file and the option model cannot be combined", hint=hint)
    if isinstance(where, Mapping):
        _refuse_report(where, "", "FILE")
        given, within = ours(where, KEYS)
        found = BenchmarkProblems(
            "benchmark", given=given, is_file=False, within=within, options=other.options()
        )
        return _benchmark(given, found, other, home="", name="benchmark")
    with Source(where) as source:
        content = source.read_all()
    value, line = _parsed(content, source.name)
    _refuse_report(value, source.name, str(where))
    given, within = ours(value, KEYS)
    found = BenchmarkProblems(
        source.name, line, given=given, within=within, options=other.options()
    )
    path = source.path
    if path is not None:
        _refuse_dataset(given, path)
    home, name = (str(path.parent), path.stem) if path else ("", "benchmark")
    return _benchmark(given, found, other, home=home, name=name)


def is_benchmark(where: str | Path | Mapping[str, Any]) -> bool:
    """Tell whether a file, or a mapping, is a benchmark by its keys, and not a run or a report."""
    if isinstance(where, Mapping):
        return any(key in where for key in TELLING)
    path = Path(where)
    if path.suffix.lower() in (".yaml", ".yml"):
        return True
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    found = first_keys(path.read_bytes()[:HEAD])
    return any(key in found for key in TELLING) and "runs" not in found


def _refuse_report(value: object, name: str, place: str) -> None:
    """Refuse a report that is run or judged, and say what to do with it."""
    told = value if isinstance(value, Mapping) else {}
    if not (isinstance(told.get("benchmark"), Mapping) and isinstance(told.get("runs"), list)):
        return
    own, quoted = str(told["benchmark"].get("name") or "")[:60], shlex.quote(place)
    meant = f'the file of benchmark "{own}"' if own else "the file of its benchmark"
    hint = f"use {meant} instead; assay report {quoted} shows the report, "
    hint += f"assay judge FILE --report {quoted} collects grades for it"
    raise InputError("this is a report, not a benchmark file", where=name, hint=hint)


def _refuse_dataset(given: object, path: Path) -> None:
    """Refuse a dataset in place of a benchmark, and say how to run it."""
    keys = given if isinstance(given, Mapping) else ()
    if any(key in keys for key in TELLING):
        return
    if "queries" in keys or _is_dataset(path):
        hint = f"run it with: assay run --dataset {path} (with --corpus, --suite or --model)"
        raise InputError("this is a dataset, not a benchmark file", where=str(path), hint=hint)


def _is_dataset(path: Path) -> bool:
    from assay.datasets.load import load

    try:
        return bool(load(path).queries)
    except AssayError:
        return False


def _made(other: _Overrides) -> dict[str, Any]:
    """Make what a file would say of the options alone."""
    if other.dataset is None:
        hint = "give a benchmark file, or --dataset (with --corpus, --suite or --model); "
        here = Path(STARTER).is_file()
        hint += f"{STARTER} is in this folder" if here else "`assay init` writes a file"
        raise InputError("no benchmark specified", hint=hint)
    if other.model is None:
        return {"suite": other.suite or QUICK}
    if other.suite is not None:
        problem = "the options suite and model cannot be combined"
        raise InputError(problem, hint="remove one of them")
    names = [name.strip() for name in str(other.model).split(",")]
    return {"configurations": [{"name": n, "search": "dense", "model": n} for n in names]}


def _parsed(content: bytes, name: str) -> tuple[Any, Callable[..., int] | None]:
    """Read YAML, or JSON by the name of the file."""
    if name.lower().endswith((".json", ".json.gz")):
        return strict_json(content, where=name), None
    parsed = strict_yaml(content, where=name)
    return parsed.value, parsed.line


def _benchmark(
    value: object, found: BenchmarkProblems, other: _Overrides, *, home: str, name: str
) -> Benchmark:
    if not isinstance(value, Mapping):
        what = "not a benchmark file: expected keys such as dataset and configurations"
        raise InputError(what, where=found.where, hint=HOW)
    said = measured.without_null(value, KEYS)
    given, replaced = instead(said, other.dataset, other.corpus, home=home)
    given = with_limits(given, other.max_file_size)
    _refuse_unknown(given, found)
    metrics = measured.metrics(
        {**given, **_measured_by_semantik(given, found), **other.criteria}, found
    )
    given = {**given, **other.criteria}
    cutoff = max((metric.k or 0 for metric in metrics), default=0) or None
    unit = measured.unit(given, found)
    asked = listed_configurations(given, found, home=home, cutoff=cutoff, suite=other.suite)
    asked = [_with_unit(one, unit, found) for one in asked]
    matrix = multiplied(asked, found, home=home, cutoff=cutoff)
    collections = listed_datasets(given, found, home)
    benchmark = Benchmark(
        name=measured.text(given, "name", found) or name,
        description=measured.text(given, "description", found),
        **_collected(collections, given),
        configurations=matrix.configurations,
        metrics=tuple(map(str, metrics)),
        baseline=_baseline(given, found, asked, matrix, chosen=other.suite is not None),
        budgets=measured.budgets(given, metrics, found),
        margin=measured.margin(given, found),
        alpha=measured.alpha(given, found),
        ship_if=measured.ship_if(given, found),
        unjudged=measured.unjudged(given, found),
        query_weights=measured.query_weights(given, found),
        race=measured.race(given, found),
        match_weights=measured.match_weights(given, found),
        unit=unit,
        breakdowns=measured.breakdowns(given, found),
        cells=len(matrix.configurations),
        merged=matrix.merged,
        home=home,
        file=found.where if found.is_file and other.dataset is None else "",
        replaced=replaced,
        command=_command(other, given, replaced),
    )
    if other.suite is None:
        _refuse_idle_vectors(benchmark, found)
    if not (matrix.configurations or found.found):  # such as an empty map of suites
        found.add(["configurations"], "no configurations specified", HOW)
    found.refuse()
    first = matrix.configurations[0].name if len(matrix.configurations) > 1 else ""
    return replace(benchmark, baseline=benchmark.baseline or first)


def _with_unit(one: GivenConfiguration, unit: str, found: BenchmarkProblems) -> GivenConfiguration:
    """Let a configuration return the unit that is evaluated, which is the same for all."""
    if "unit" in one.settings:
        hint = "remove it, and set unit beside dataset and metrics"
        found.add(one.place("unit"), "unit is the same for all configurations", hint)
    if unit == "document":
        return one
    settings = {**one.settings, "unit": unit}
    return replace(one, settings=settings, soft=one.soft | {"unit"})


def _refuse_idle_vectors(benchmark: Benchmark, found: BenchmarkProblems) -> None:
    """Refuse vectors that the file names, and no configuration searches."""
    if any(one.has_given_vectors for one in benchmark.configurations):
        return
    several = bool(benchmark.datasets)
    for at, one in enumerate(benchmark.collections):
        path: list[str | int] = ["datasets", at] if several else []
        corpus = one.corpus if isinstance(one.corpus, Mapping) else {}
        for key, value in (("corpus", corpus.get(VECTORS)), ("dataset", one.vectors)):
            if value is not None and benchmark.configurations:
                what = "vectors have no effect: no configuration has model: given"
                hint = "add a configuration with model: given, or remove them"
                found.add([*path, key, VECTORS], what, hint)


def _command(
    other: _Overrides, given: Mapping[str, Any], replaced: tuple[str, ...]
) -> dict[str, Any]:
    """Note what was typed, and whether the dataset is the file's own with grades of a judge."""
    if other.dataset is None or not other.command:
        return dict(other.command)
    own = isinstance(given.get("datasets"), list) or holds_grades(other.dataset)
    return {**other.command, "grades": own and not replaced}


def _collected(collections: list[Collection], given: Mapping[str, Any]) -> dict[str, Any]:
    first = collections[0] if collections else Collection("", "")
    many = given.get("datasets") is not None or len(collections) > 1 or bool(first.only)
    several = tuple(collections) if many else ()
    return {
        "dataset": first.dataset,
        "corpus": first.corpus,
        "reading": first.reading,
        "vectors": first.vectors,
        "datasets": several,
    }


def _measured_by_semantik(given: Mapping[str, Any], found: BenchmarkProblems) -> dict[str, Any]:
    matrix = given.get("config_matrix")
    if not isinstance(matrix, Mapping):
        return {}
    told = semantik_metrics(given, matrix, found)
    return {key: value for key, value in told.items() if given.get(key) is None}


def _refuse_unknown(given: Mapping[str, Any], found: BenchmarkProblems) -> None:
    for key in given:
        if key in LATER:
            found.add([key], *LATER[key])
        elif key not in (*KEYS, SCHEMA) and not ("config_matrix" in given and key in OF_SEMANTIK):
            found.add([str(key)], f'unknown key "{str(key)[:60]}"', did_you_mean(str(key), KEYS))


def _baseline(
    given: Mapping[str, Any],
    found: BenchmarkProblems,
    asked: list[GivenConfiguration],
    matrix: Matrix,
    *,
    chosen: bool,
) -> str:
    """Find the baseline: by its name, or by that of a configuration with one combination.

    A suite that was ``chosen`` on the command line may not have the one that the file names.
    """
    baseline = measured.text(given, "baseline", found)
    names = [one.name for one in matrix.configurations] or [one.name for one in asked]
    if not baseline or baseline in names:
        return baseline
    group = next((its for name, its in matrix.groups if name == baseline), ())
    if group:
        what = f'"{baseline[:60]}" expands to {len(group):,} configurations'
        found.add(["baseline"], what, f'specify one of them, e.g. "{group[0]}"')
    elif not chosen:
        what = f'unknown configuration "{baseline[:60]}"'
        found.add(["baseline"], what, did_you_mean(baseline, names))
    return ""
