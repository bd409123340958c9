"""Why a document is not among the results, in sentences."""

from assay.records import Loss

__all__ = ["loss"]


def loss(lost: Loss, document: str) -> list[str]:
    """Say which stage lost a document, and the score that it needed there.

    >>> loss(Loss("cut", "ranked 12, below the cutoff of 10", 12, 0.4, 0.5), "a.py")
    ['a.py: lost at cut: ranked 12, below the cutoff of 10 (score 0.400, needed 0.500)']
    """
    if lost.found:
        return [f"{document}: {lost.reason}"]
    if lost.stage == "index":
        return [f"{document}: {lost.reason}"]
    return [f"{document}: lost at {lost.stage}: {_why(lost)}"] + [
        f"{' ' * len(document)}  and at {other.stage}: {_why(other)}" for other in lost.also
    ]


def _why(lost: Loss) -> str:
    if lost.score is None or lost.needed is None:
        return lost.reason
    return f"{lost.reason} (score {lost.score:.3f}, needed {lost.needed:.3f})"
