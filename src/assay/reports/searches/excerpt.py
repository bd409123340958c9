"""The lines of a chunk that tell best why it was found."""

from collections.abc import Sequence

__all__ = ["excerpt"]


def excerpt(
    text: str, matched: Sequence[float], *, first_line: int = 1, most: int = 3
) -> list[tuple[int, str]]:
    r"""Return up to ``most`` lines in a row, with their numbers: those that match most.

    ``matched`` tells it of each line. The first such lines win a tie, so that a chunk in which
    nothing matches shows its beginning. Lines without any text are left out.

    >>> excerpt("import os\n\ndef retry(times):\n    pass", [0, 0, 0.5, 0], most=1)
    [(3, 'def retry(times):')]
    """
    lines = text.split("\n")
    weights = [*matched, *[0.0] * (len(lines) - len(matched))]
    told = [at for at, line in enumerate(lines) if line.strip()]
    gains = [sum(weights[at] for at in told[place : place + most]) for place in range(len(told))]
    best = max(range(len(told)), key=lambda place: (gains[place], -place), default=0)
    while best + 1 < len(told) and not weights[told[best]] and gains[best]:
        best += 1  # begin with a line that matches
    return [(first_line + at, lines[at].rstrip()) for at in told[best : best + most]]
