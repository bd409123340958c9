"""What people call the ways of ranking that are compared."""

__all__ = ["shown", "told"]

NAMES = {
    "cosine": "cosine",
    "coherence": "coherence",
    "coherence_mmr": "coherence + MMR",
    "coherence_open": "ungated coherence",
    "neighbour_average": "neighbour average",
    "shuffled_graph": "shuffled graph",
}


def shown(method: str) -> str:
    """Return the name that a table shows; an unknown method keeps its own."""
    return NAMES.get(method, method)


def told(method: str) -> str:
    """Return the name that a sentence uses, in which nothing stands above it."""
    return "coherence without gates" if method == "coherence_open" else shown(method)
