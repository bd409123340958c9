"""The JSON Schema of a benchmark file, made from the settings themselves."""

from dataclasses import fields
from typing import Any

from assay.benchmarks.file.akashic import KEYS as AKASHIC
from assay.benchmarks.file.criteria import QUERY_WEIGHTS, SHIP_IF, UNJUDGED
from assay.benchmarks.file.datasets import READING, VECTORS
from assay.benchmarks.file.problems import MOST_LISTED
from assay.benchmarks.file.read_benchmark import KEYS
from assay.records import Configuration
from assay.records.costs import COSTS
from assay.searches.configuration.nested_settings import NESTED, system_kinds
from assay.searches.configuration.settings import SETTINGS, UNITS, Setting

__all__ = ["benchmark_schema"]

Schema = dict[str, Any]
TEXT: Schema = {"type": "string", "pattern": r"\S"}
NULL: Schema = {"type": "null"}
WHOLE: Schema = {"type": "integer", "minimum": 1}
ALPHA: Schema = {"type": "number", "exclusiveMinimum": 0, "maximum": 0.5}
NONE: Schema = {"enum": [None, "None"]}  # as Python writes it, too
WORDS: Schema = {"type": "array", "minItems": 1, "items": TEXT}
SHAPES: dict[str, Schema] = {
    "switch": {"type": "boolean"},
    "pair": {
        **{"type": "array", "minItems": 2, "maxItems": 2},
        "items": {"type": "number", "minimum": 0},
    },
    "stop_words": {"anyOf": [TEXT, WORDS]},
    "synonyms": {"anyOf": [TEXT, WORDS | {"items": {"anyOf": [TEXT, WORDS | {"minItems": 2}]}}]},
}
MEANINGS = {
    "name": "Name of the benchmark in reports (default: the name of its file).",
    "description": "What the benchmark is for.",
    "dataset": "Queries with judgments: a file or folder, a shipped name, or a family.",
    "datasets": "Several datasets, each with its corpus; or all: the five families.",
    "corpus": "Documents to search: a path, git:REPOSITORY@REVISION, stdlib, or a mapping.",
    "metrics": "Metrics to compute, such as ndcg@10 (default: all standard metrics).",
    "primary": "Metric that decides the verdicts (default: ndcg@10, else the first metric).",
    "baseline": "Configuration that the others are compared with (default: the first).",
    "budgets": "Limits: a maximum for a cost, a minimum for a rate or a metric, e.g. ndcg@10.",
    "margin": "Non-inferiority margin as a fraction of the baseline's score (default: 0.02).",
    "alpha": "Significance level (default: 0.05).",
    "ship_if": "Requirement for SHIP: better, or noninferior.",
    "unjudged": "zero: verdicts count unjudged documents as not relevant.",
    "query_weights": "ignore: every query counts the same, whatever weights the dataset has.",
    "race": "Stop configurations early that are significantly worse than the best.",
    "match_weights": "Weight a match by its kind: symbol 1, file 0.7, part of a name 0.4.",
    "unit": "What is evaluated: document (the default), chunk or symbol.",
    "breakdowns": "Fields of queries or documents that scores are broken down by.",
    "suite": "Suite whose configurations are run.",
    "suites": "Suites by name; --suite NAME selects one.",
    "matrix": "Settings of every configuration; lists multiply.",
    "configurations": "Configurations to run; lists in them multiply.",
    "configs": "Configurations in Akashic's format.",
    "config_matrix": "Configurations and metrics in Semantik's format.",
}


def benchmark_schema() -> Schema:
    """Return the schema of our file, and of files of other programs.

    What it refuses the reader refuses, too; the reader also refuses combinations.
    """
    whole = {"type": "object", "additionalProperties": _several({"type": "object"})}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Assay benchmark",
        "description": "A dataset, a corpus, and the configurations to run on them.",
        "anyOf": [
            _benchmark(),
            {"description": "Suites in Akashic's format", **whole, "not": _any_of(KEYS)},
            {
                "description": "Configurations in Akashic's format",
                **_several(_ref("configuration")),
            },
            {"description": "A configuration in Akashic's format", **_ref("configuration")},
        ],
        "$defs": {"configuration": _configuration(), "listed": _listed(), **_settings()},
    }


def _benchmark() -> Schema:
    keys = {name: {"description": MEANINGS[name], **its} for name, its in _keys().items()}
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {"$schema": _or_null(TEXT), **keys, **_semantik(), **_asked_of_semantik()},
    }


def _keys() -> dict[str, Schema]:
    text, configurations = _or_null(TEXT), _several(_ref("configuration"), most=MOST_LISTED)
    suites = {"type": "object", "additionalProperties": _several(_ref("listed"))}
    matrix = _object({name: _ref(name) for name in SETTINGS}) | {"minProperties": 1}
    return {
        "name": text,
        "description": text,
        "dataset": _or_null(TEXT, _dataset()),
        "datasets": _or_null({"const": "all"}, _several({"anyOf": [TEXT, _collection()]})),
        "corpus": _corpus(),
        "metrics": _or_null(TEXT, _several(TEXT)),
        "primary": text,
        "baseline": text,
        "budgets": _or_null(_budgets()),
        "margin": _or_null({"type": "number", "minimum": 0, "exclusiveMaximum": 1}),
        "alpha": _or_null(ALPHA),
        "ship_if": _or_null({"enum": [*SHIP_IF]}),
        "unjudged": _or_null({"enum": [*UNJUDGED]}),
        "query_weights": _or_null({"enum": [*QUERY_WEIGHTS]}),
        "race": _or_null({"type": "boolean"}, _race()),
        "match_weights": _or_null({"type": "boolean"}),
        "unit": _or_null({"enum": [*UNITS]}),
        "breakdowns": _or_null(TEXT, _several(TEXT)),
        "suite": text,
        "suites": _or_null(suites),
        "matrix": _or_null(matrix),
        "configurations": _or_null(configurations),
        "configs": _or_null(configurations, suites),
        "config_matrix": _or_null(_object(_semantik())),
    }


def _budgets() -> Schema:
    """Describe limits on costs; any other name may be a metric, even one of a plugin."""
    costs = dict.fromkeys(COSTS, _or_null({"type": "number", "minimum": 0}))
    return _object(costs) | {"additionalProperties": _or_null({"type": "number"})}


def _race() -> Schema:
    return _object({"alpha": _or_null(ALPHA), "first": _or_null(WHOLE)})


def _dataset() -> Schema:
    read = {name: _or_null({"type": "boolean"}) for name in READING}
    return _object({"path": TEXT, **read, VECTORS: _vectors()}) | {"required": ["path"]}


def _vectors() -> Schema:
    """Describe a file of vectors: its path, or a mapping with its ids or columns."""
    keys = dict.fromkeys(("path", "ids", "id", "vector"), TEXT)
    return _or_null(TEXT, _object(keys) | {"required": ["path"]})


def _collection() -> Schema:
    dataset = {"anyOf": [TEXT, _dataset()]}
    keys = {"dataset": dataset, "corpus": _corpus(), "name": _or_null(TEXT)}
    return _object(keys) | {"required": ["dataset"]}


def _corpus() -> Schema:
    mapping = {"type": "object", "minProperties": 1, "properties": {VECTORS: _vectors()}}
    return _or_null({"type": "string", "minLength": 1}, mapping)


def _semantik() -> dict[str, Schema]:
    """Describe the keys of Semantik's matrix, of which each list may be a single value."""
    threshold = {"type": "number", "minimum": 0, "maximum": 1}
    return {
        "primary_k": _or_null(WHOLE),
        "k_values_for_metrics": _or_null(_one_or_more({"anyOf": [WHOLE, NONE]})),
        "search_modes": _or_null(_one_or_more(TEXT)),
        "use_reranker": _or_null(_one_or_more({"type": "boolean"})),
        "top_k_values": _or_null(_one_or_more(WHOLE)),
        "rrf_k_values": _or_null(_one_or_more({"anyOf": [WHOLE, NONE]})),
        "score_thresholds": _or_null(_one_or_more({"anyOf": [threshold, NONE]})),
    }


def _asked_of_semantik() -> dict[str, Schema]:
    return {"mapping_id": {}, "top_k": _or_null(WHOLE), "metrics_to_compute": {}}


def _configuration() -> Schema:
    """Describe a configuration: a name, and settings of which each may be a list."""
    known = {name: _ref(name) for name in SETTINGS}
    theirs = {
        "embedding_model": {"anyOf": [TEXT, NULL, _several(_or_null(TEXT))]},
        "use_reranker": {"anyOf": [{"type": "boolean"}, _several({"type": "boolean"})]},
        "reranker_model": _or_null(TEXT),
    }
    name = TEXT | {"maxLength": 200}
    return _object({"name": name, **known, **theirs}) | {"required": ["name"]}


def _listed() -> Schema:
    """Describe a configuration of a suite, which is read in full only if it is chosen."""
    names = {"enum": ["name", *SETTINGS, *AKASHIC]}
    return {"type": "object", "required": ["name"], "propertyNames": names}


def _settings() -> dict[str, Schema]:
    defaults = {field.name: field.default for field in fields(Configuration)}
    return {
        name: {"description": f"Default: {_shown(defaults[name])}.", **_many(name, setting)}
        for name, setting in SETTINGS.items()
    }


def _many(name: str, setting: Setting) -> Schema:
    one = _one(setting) if setting.kind != "stage" else _stage(name)
    single = _or_null(one) if setting.optional else one
    return {"anyOf": [single, _several(single)]}


def _one(setting: Setting) -> Schema:
    if setting.kind in ("whole", "number"):
        ends = {"minimum": setting.least, "maximum": setting.most}
        kind = "integer" if setting.kind == "whole" else "number"
        return {"type": kind, **{key: end for key, end in ends.items() if abs(end) < 1e300}}
    if setting.kind in SHAPES:
        return SHAPES[setting.kind]
    if setting.kind in NESTED:
        return _nested(setting.kind)
    if setting.kind == "mapping":
        kinds = {"anyOf": [{"enum": system_kinds()}, _several({"enum": system_kinds()})]}
        return {"type": "object", "required": ["kind"], "properties": {"kind": kinds}}
    names = [*setting.names(), *setting.words]
    return TEXT | {"examples": names} if setting.opens else {"enum": names}


def _stage(name: str) -> Schema:
    return {"anyOf": [{"type": "boolean"}, _nested(name)]}


def _nested(name: str) -> Schema:
    return _object({part: _many(part, setting) for part, setting in NESTED[name].items()})


def _object(properties: dict[str, Schema]) -> Schema:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _several(items: Schema, *, most: int | None = None) -> Schema:
    ends = {"minItems": 1, **({"maxItems": most} if most else {})}
    return {"type": "array", **ends, "items": items}


def _one_or_more(one: Schema) -> Schema:
    return {"anyOf": [one, {"type": "array", "items": one}]}


def _or_null(*schemas: Schema) -> Schema:
    return {"anyOf": [*schemas, NULL]}


def _any_of(keys: list[str]) -> Schema:
    return {"anyOf": [{"required": [key]} for key in keys]}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _shown(value: object) -> str:
    """Write a default as a file has it."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return str(value)
