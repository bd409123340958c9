"""What each grade of a scale means, in words that a judge can hold on to."""

__all__ = ["grades"]

NOT = "not relevant: it does not help"
TOP = "highly relevant: it answers the query"
MEANT = {
    1: (NOT, "relevant: it answers the query, or helps to"),
    2: (NOT, "relevant: it answers part of the query, or helps to", TOP),
    3: (NOT, "marginal: it touches on the query", "relevant: it answers part of the query", TOP),
    4: (  # as Cranfield's judges were told, from "of minimum interest" to "a complete answer"
        NOT,
        "of minimum interest: it touches on the query",
        "useful as background",
        "highly relevant: one would not want to do without it",
        "a complete answer to the query",
    ),
}


def grades(scale: int) -> list[tuple[str, str]]:
    """Say what the grades from 0 up to the scale mean; of a long scale, its ends.

    >>> grades(1)[1]
    ('1', 'relevant: it answers the query, or helps to')
    """
    if scale in MEANT:
        return [(str(grade), words) for grade, words in enumerate(MEANT[scale])]
    between = f"1 to {scale - 1}"
    return [("0", NOT), (between, "the more, the better it helps"), (str(scale), TOP)]
