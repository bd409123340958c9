"""Fuse: combine the results of lexical and dense retrieval into one list."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assay.engines.fusions import Fusion
from assay.engines.rank_rows import ranked
from assay.engines.stages._step import Step
from assay.errors import InputError
from assay.records import FoundRows, Ints, SearchInput
from assay.records.fingerprint import fingerprint_settings

__all__ = ["fuse"]


def fuse(fusion: Fusion, *, parts: Sequence[Step] = (), fill: bool = False) -> Step:
    """Fuse the lists of ``parts``, in their order.

    With ``fill``, each part is asked for the true scores of what only the others retrieved; else a
    document that a list lacks gets the floor that the fusion gives it.
    """
    _check(fusion, parts, fill=fill)
    names = [part.name for part in parts]

    def run(asked: SearchInput, found: Sequence[FoundRows]) -> FoundRows:
        lists = _filled(asked, found, parts) if fill else found
        return fusion(_told(asked, lists, parts) if fusion.spreads and parts else lists)

    return Step(
        name="fuse",
        identify=lambda: fingerprint_settings(
            stage="fuse", fusion=fusion.fingerprint, fill=fill, parts=names
        ),
        run=run,
    )


def _check(fusion: Fusion, parts: Sequence[Step], *, fill: bool) -> None:
    if fill and not fusion.scored:
        raise InputError(
            f"{fusion.name} uses ranks only: there are no scores to fill in",
            where="fusion",
            hint="omit fill, or use min_max, z_score or blend",
        )
    if fill and not (parts and all(part.scores for part in parts)):
        raise InputError(
            "fill requires parts that can score any document",
            where="fusion",
            hint="pass the retrieval stages as parts",
        )


def _filled(
    asked: SearchInput, found: Sequence[FoundRows], parts: Sequence[Step]
) -> list[FoundRows]:
    union: Ints = np.unique(np.concatenate([one.rows for one in found]))
    return [_complete(asked, one, part, union) for one, part in zip(found, parts, strict=True)]


def _told(asked: SearchInput, found: Sequence[FoundRows], parts: Sequence[Step]) -> list[FoundRows]:
    """Tell the fusion what each part knows of this query besides its scores."""
    pairs = zip(found, parts, strict=True)
    return [
        replace(
            one,
            spread=part.spread(asked) if part.spread else None,
            coverage=part.coverage(asked, one.rows) if part.coverage else None,
            decisive=bool(part.decisive and part.decisive(asked)),
        )
        for one, part in pairs
    ]


def _complete(asked: SearchInput, found: FoundRows, part: Step, union: Ints) -> FoundRows:
    missing = np.setdiff1d(union, found.rows, assume_unique=True)
    if not len(missing) or part.scores is None:
        return found
    rows: Ints = np.concatenate([found.rows, missing])
    scores = np.concatenate([found.scores, part.scores(asked, missing)])
    return ranked(rows, scores, kind=found.kind, best=found.best)
