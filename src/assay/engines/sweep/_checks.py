"""What cannot be replayed is refused, with what would have to be recorded."""

from assay.engines.absolute_scores import check_absolute
from assay.engines.check_values import check_count, check_share
from assay.engines.fusions import Fusion
from assay.errors import InputError

__all__ = ["check_depth", "check_documents", "check_fill", "check_fusion", "check_threshold"]


def check_depth(depth: int, recorded: int, *, shallower: bool) -> None:
    """Refuse what lies deeper than was recorded, and less deep where that says nothing."""
    check_count(depth, where="depth")
    if depth > recorded or (depth < recorded and not shallower):
        can = f"at most depth {recorded}" if shallower else f"depth {recorded}"
        raise InputError(
            f"cannot replay depth {depth}: results were recorded at depth {recorded}",
            where="depth",
            hint=f"replay {can}, or record at depth {depth}",
        )


def check_documents(*, known: bool) -> None:
    """Refuse to collapse rows whose documents are unknown."""
    if not known:
        raise InputError(
            "the recording does not map rows to documents",
            where="collapse",
            hint="pass documents when recording, or omit collapse",
        )


def check_fusion(fusion: Fusion | None, parts: int) -> None:
    """Refuse to make one ranking of several without saying how."""
    if fusion is None and parts != 1:
        raise InputError(
            f"{parts} result lists require a fusion",
            where="fusion",
            hint="specify rrf, min_max, z_score or blend",
        )


def check_fill(fusion: Fusion, *, known: bool) -> None:
    """Refuse to fill in scores that are not looked at, or were not recorded."""
    if not (fusion.scored and known):
        raise InputError(
            f"no scores to fill in for {fusion.name}",
            where="fusion",
            hint="record the scores of all parts for all rows, and use min_max, z_score or blend",
        )


def check_threshold(value: float, kind: str) -> None:
    """Refuse a threshold on scores that mean something else for every query."""
    check_share(value, where="threshold")
    check_absolute(kind)
