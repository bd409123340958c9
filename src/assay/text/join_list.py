"""Names in a sentence: the first few of them, and how many more there are."""

from collections.abc import Callable, Iterable, Sequence

from assay.text.quote import quote

__all__ = ["first_few", "first_named", "join_list", "join_names"]

MOST = 5


def join_list(names: Sequence[str], *, most: int = MOST) -> str:
    """Join names by commas; what goes beyond ``most`` is only counted.

    >>> join_list(["lexical", "dense", "hybrid"])
    'lexical, dense and hybrid'
    >>> join_list(["a", "b", "c", "d"], most=2)
    'a, b and 2 more'
    """
    parts = [*names]
    if len(parts) > most:
        parts = [*parts[:most], f"{len(parts) - most:,} more"]
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def join_names(names: Iterable[str], *, most: int = MOST) -> str:
    """Join the names of runs, each marked as one.

    >>> join_names(["lexical", "hybrid"])
    '"lexical" and "hybrid"'
    """
    return join_list([quote(name) for name in names], most=most)


def first_few(parts: Sequence[str], most: int) -> str:
    """Join parts by commas only; what goes beyond ``most`` is counted.

    >>> first_few(["a", "b"], 2), first_few(["a", "b", "c"], 2)
    ('a, b', 'a, b and 1 more')
    """
    more = f" and {len(parts) - most:,} more" if len(parts) > most else ""
    return f"{', '.join(parts[:most])}{more}"


def first_named(
    names: Sequence[str], most: int, *, show: Callable[[str], str] = str, mark: str = "..."
) -> str:
    """Join the first names by commas, each as ``show`` writes it; a ``mark`` is for the rest.

    >>> first_named(["a", "b"], 2), first_named(["a", "b", "c"], 2, show=quote)
    ('a, b', '"a", "b", ...')
    """
    return ", ".join([*map(show, names[:most]), *([mark] if len(names) > most else [])])
