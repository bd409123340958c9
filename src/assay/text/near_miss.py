"""A name that is not known -> the known names that were probably meant."""

from collections.abc import Iterable

__all__ = ["did_you_mean", "near_miss", "near_misses"]

ALIKE = 0.6  # share of characters that two names have in common, as difflib counts it


def near_misses(
    name: str, known: Iterable[str], *, most: int = 3, alike: float = ALIKE
) -> list[str]:
    """Return the known names that are most like a wrong one, the nearest first.

    >>> near_misses("M", ["m", "metrics"])
    ['m']
    """
    import difflib  # only a wrong name needs it

    names = [*known]
    same = [one for one in names if one.casefold() == name.casefold()]
    return same[:most] or difflib.get_close_matches(name, names, n=most, cutoff=alike)


def near_miss(name: str, known: Iterable[str], *, alike: float = ALIKE) -> str:
    """Return the known name that is most like a wrong one, or nothing.

    >>> near_miss("ndgc", ["mrr", "ndcg"]), near_miss("bleu", ["mrr", "ndcg"])
    ('ndcg', '')
    """
    return next(iter(near_misses(name, known, most=1, alike=alike)), "")


def did_you_mean(
    name: str, known: Iterable[str], *, otherwise: str | None = None, alike: float = ALIKE
) -> str:
    """Suggest the nearest name in a hint; where none is near, list them all or say ``otherwise``.

    >>> did_you_mean("topk", ["top_k", "model"]), did_you_mean("x", ["top_k", "model"])
    ('did you mean "top_k"?', 'expected one of: top_k, model')
    """
    names = [*known]
    close = near_miss(name, names, alike=alike)
    rest = f"expected one of: {', '.join(names)}" if otherwise is None else otherwise
    return f'did you mean "{close}"?' if close else rest
