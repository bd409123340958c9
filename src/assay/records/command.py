"""The command that a report was asked for with, so that whoever reads it can repeat it."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from assay.records import Report
from assay.text import sanitize

__all__ = [
    "UNKNOWN",
    "asked_as",
    "at_service",
    "command",
    "is_remote",
    "report_place",
    "resume_command",
    "searched",
    "unplaced",
    "without_service",
]

UNKNOWN = "FILE"  # stands for a benchmark file that is not known
OPTIONS = (  # what chooses what is run, and by what it is decided
    *("suite", "dataset", "corpus", "model", "max_file_size"),
    *("primary", "margin", "alpha", "unjudged", "unit", "query_weights"),
)
FLAGS = ("binary", "subtopics", "match_weights", "full")  # how judgments are read; all of the demo
DEMO = ("demo", "stdlib")  # the benchmark that comes with Assay, and its dataset


@dataclass(frozen=True, slots=True)
class _Service:
    """Where a report comes from; not text, so that no report that was read can name one."""

    url: str


def at_service(report: Report, url: str) -> Report:
    """Note the service that has a report, for the commands that are shown with it."""
    asked = report.benchmark.get("command")
    told = {**(asked if isinstance(asked, Mapping) else {}), "service": _Service(url)}
    return replace(report, benchmark={**report.benchmark, "command": told})


def report_place(report: Report) -> str:
    """Write how a command names a report: its id, and the service that has it."""
    return sanitize(shlex.join([*filter(None, [report.id[:8]]), *_at(report.benchmark)]))


def _at(benchmark: Mapping[str, Any]) -> list[str]:
    asked = benchmark.get("command")
    service = asked.get("service") if isinstance(asked, Mapping) else None
    return ["--url", service.url] if isinstance(service, _Service) else []


def asked_as(file: object, *, verb: str = "run", **options: object) -> dict[str, Any]:
    """Note what must be typed again; nothing for what no command line can say.

    >>> asked_as("b.yaml", dataset="judged.json", suite=None)
    {'verb': 'run', 'file': 'b.yaml', 'options': ['--dataset', 'judged.json']}
    """
    given = {name: options.get(name) for name in OPTIONS}
    chosen = {name: value for name, value in given.items() if value is not None}
    told = [*([] if file is None else [file]), *chosen.values()]
    if "-" in told or not all(isinstance(one, str | PurePath | int | float) for one in told):
        return {}
    said = [word for name, value in chosen.items() for word in (_option(name), str(value))]
    flags = [name for name in FLAGS if options.get(name)]
    told_file = None if file is None else str(file)
    return {"verb": verb, "file": told_file, "options": said} | ({"flags": flags} if flags else {})


def unplaced(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out where files lie on the machine that asked: of an absolute path its name is kept.

    >>> unplaced({"file": "/home/ann/b.yaml", "options": ["--corpus", "git:/src/ours"]})
    {'file': 'b.yaml', 'options': ['--corpus', 'git:ours']}
    """
    file = asked.get("file")
    changed = {"file": None if file is None else _bare(file)}
    return {**asked, **changed, "options": [_bare(one) for one in asked.get("options", ())]}


def _bare(path: str) -> str:
    before = "git:" if path.startswith("git:") else ""
    rest = PurePath(path.removeprefix(before))
    return f"{before}{rest.name}" if rest.is_absolute() else path


def without_service(benchmark: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the service that was noted: where a report was read from is no part of it."""
    asked = benchmark.get("command")
    if not isinstance(asked, Mapping) or not isinstance(asked.get("service"), _Service):
        return dict(benchmark)
    kept = {key: value for key, value in asked.items() if key != "service"}
    rest = {key: value for key, value in benchmark.items() if key != "command"}
    return {**rest, "command": kept} if kept else rest


def is_remote(report: Report) -> bool:
    """Tell whether a report is of a service, so that commands about it go there."""
    return bool(_at(report.benchmark))


def command(report: Report, verb: str = "run", *more: str) -> str:
    """Write what one types to run a benchmark again, or to judge for it, with ``more`` options.

    A report that does not tell what it was asked for with names FILE.
    """
    asked, service = _asked(report.benchmark), _at(report.benchmark)
    if service and report.id and "--resume" in more:  # a service knows it by its id, too
        return _line(verb, report.id[:8], *more, *service)
    if verb == "judge":
        judged = [report.id[:8]] if service else _judged(report, asked)
        return _line("judge", *judged, *more, *service)
    return _written(asked, verb, *more, *service)


def resume_command(benchmark: Mapping[str, Any]) -> str:
    """Write what one types to resume a benchmark, given what a report tells of it."""
    return _written(_asked(benchmark), "run", "--resume")


def _written(asked: Mapping[str, Any], verb: str, *more: str) -> str:
    flags = [f"--{name.replace('_', '-')}" for name in asked.get("flags", ())]
    if asked.get("verb") == "demo":
        return _line("demo", *flags, *(["--fresh"] if "--retry-failed" in more else more))
    file = asked.get("file")
    words = [*([] if file is None else [file]), *asked["options"]] if asked else [UNKNOWN]
    return _line(verb, *words, *flags, *more)


def searched(report: Report) -> str:
    """Name where further queries belong: what took the place of the file's dataset, if it did."""
    options = _asked(report.benchmark).get("options") or ()
    chosen = dict(zip(options[::2], options[1::2], strict=True))
    return sanitize(chosen.get("--dataset", "the dataset"))


def _asked(benchmark: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a report tells of it, if it is what we write: others may have sent it."""
    told = benchmark.get("command")
    if told is None and (benchmark.get("name"), benchmark.get("dataset")) == DEMO:
        return {"verb": "demo"}
    if not isinstance(told, Mapping):
        return {}
    file, options, flags = told.get("file"), told.get("options"), told.get("flags")
    named = file is None or isinstance(file, str)
    ours = [name for name in FLAGS if isinstance(flags, list | tuple) and name in flags]
    if told.get("verb") == "demo":
        return {"verb": "demo", "flags": ours}
    if not (named and _is_ours(options)) or not (file or options):
        return {}
    grades = told.get("grades") is True
    return {"file": file or None, "options": options, "grades": grades, "flags": ours}


def _is_ours(options: object) -> bool:
    """Tell whether they are pairs of an option that chooses what is run, and its value."""
    if not isinstance(options, list | tuple) or not all(isinstance(one, str) for one in options):
        return False
    return len(options) % 2 == 0 and all(one in map(_option, OPTIONS) for one in options[::2])


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _judged(report: Report, asked: Mapping[str, Any]) -> Sequence[str]:
    """Name the file that is judged, the grades that are gone on with, and the report of a suite.

    What was run without a file, or over a corpus or a dataset that is not the file's, has no file
    that could be judged.
    """
    options = asked.get("options") or ()
    chosen = dict(zip(options[::2], options[1::2], strict=True))
    other = "--corpus" in chosen or ("--dataset" in chosen and not asked.get("grades"))
    if not asked.get("file") or other:
        return [UNKNOWN]
    further = ["-o", chosen["--dataset"]] if "--dataset" in chosen else []
    which = ["--report", report.id[:8]] if "--suite" in chosen and report.id else []
    return [asked["file"], *which, *further]


def _line(*words: str) -> str:
    return sanitize(shlex.join(["assay", *words]))
