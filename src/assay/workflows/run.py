"""Run: a benchmark -> what each of its configurations scores and costs, and which one to ship."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from assay.benchmarks.file import read_benchmark
from assay.benchmarks.spine import run_benchmark
from assay.errors import InputError
from assay.records import Benchmark, Rankings, Report, Track, untracked
from assay.workflows._options import refuse_wrong_count

__all__ = ["run"]


def run(
    benchmark: str | Path | Mapping[str, Any] | Benchmark,
    *,
    dataset: str | Path | None = None,
    seed: int = 0,
    repeats: int = 3,
    workspace: str | Path | None = None,
    save_runs: str | Path | None = None,
    fresh: bool = False,
    track: Track = untracked,
) -> Report:
    """Build every configuration of a benchmark for real, search with it, score and compare.

    ``benchmark`` is a file (YAML or JSON) or a mapping of its shape; ``dataset`` takes the place of
    its own, and of its corpus. Each query is asked ``repeats`` times, of which the median counts.
    ``workspace`` is where vectors are remembered, unless all is built ``fresh``; ``save_runs`` is a
    folder for a run file of each configuration.
    """
    refuse_wrong_count("seed", seed)
    refuse_wrong_count("repeats", repeats, least=1)
    asked = benchmark if isinstance(benchmark, Benchmark) else read_benchmark(_place(benchmark))
    if dataset is not None:
        name = Path(dataset).name
        asked = replace(asked, dataset=str(dataset), corpus=None, name=name, file="")
    keep = None if save_runs is None else _saver(Path(save_runs))
    from assay.benchmarks.building import build  # engines load only once something is run
    from assay.benchmarks.checking import check_models, check_stores
    from assay.benchmarks.outside import check_outside
    from assay.workspace.locate import locate

    place = locate(given=workspace)
    check_outside(asked)
    check_stores(asked)
    check_models(asked, models=place.models, track=track)
    vectors, tokens = (None, None) if fresh else (place.vectors, place.tokens)
    made = partial(build, models=place.models, vectors=vectors, tokens=tokens, home=asked.home)
    return run_benchmark(asked, build=made, seed=seed, repeats=repeats, track=track, keep=keep)


def _place(benchmark: object) -> str | Path | Mapping[str, Any]:
    if isinstance(benchmark, str | Path | Mapping):
        return benchmark
    hint = "pass the path of a benchmark file, or a mapping of its shape"
    raise InputError(f"cannot read a benchmark from {type(benchmark).__name__}", hint=hint)


def _saver(folder: Path) -> Callable[[Rankings], None]:
    """Write each run to a file of its name; the folder is made before anything is computed."""
    from assay.rankings.save import save

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        problem = f"cannot be made ({getattr(error, 'strerror', None) or error})"
        raise InputError(problem, where=str(folder)[:200], hint="name a folder") from None

    taken: set[str] = set()

    def keep(rankings: Rankings) -> None:
        name = _file_name(rankings.name, taken)
        try:
            save(_answered(rankings), folder / f"{name}.run")
        except InputError:  # ids with spaces: JSON can say these
            save(rankings, folder / f"{name}.json")

    return keep


def _answered(rankings: Rankings) -> Rankings:
    """Leave out queries without any answer, which no line can say: they score 0 all the same."""
    counts = rankings.counts
    offsets = np.concatenate(([0], np.cumsum(counts[counts > 0]))).astype(np.int64)
    queries = tuple(rankings.queries[at] for at in np.flatnonzero(counts))
    return replace(rankings, queries=queries, offsets=offsets)


def _file_name(name: str, taken: set[str]) -> str:
    """Turn a name into one of a file, of which there is one for each run on any system."""
    plain = re.sub(r"[^\w.-]+", "_", name)[:100].strip("._") or "run"
    number = 1
    while (given := plain if number == 1 else f"{plain}_{number}").lower() in taken:
        number += 1
    taken.add(given.lower())
    return given
