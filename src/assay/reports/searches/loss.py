"""Why a document is not among the results, in sentences."""

from assay.records import Loss

__all__ = ["loss"]


def loss(lost: Loss, document: str) -> list[str]:
    """Say which stage lost a document, and what would have had to hold there.

    >>> loss(Loss("cut", "it ranks 12 of 10", 12, 0.4, 0.5), "a.py")
    ['a.py: lost by cut: it ranks 12 of 10 (score 0.400, needed 0.500)']
    """
    if lost.found:
        return [f"{document}: {lost.reason}"]
    if lost.stage == "index":
        return [f"{document}: {lost.reason}"]
    return [f"{document}: lost by {lost.stage}: {_why(lost)}"] + [
        f"{' ' * len(document)}  and by {other.stage}: {_why(other)}" for other in lost.also
    ]


def _why(lost: Loss) -> str:
    if lost.score is None or lost.needed is None:
        return lost.reason
    return f"{lost.reason} (score {lost.score:.3f}, needed {lost.needed:.3f})"
