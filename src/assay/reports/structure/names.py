"""What people call the ways of ranking that are compared."""

__all__ = ["shown"]

NAMES = {
    "cosine": "cosine",
    "coherence": "coherence",
    "coherence_mmr": "coherence + MMR",
    "coherence_open": "  without gates",
    "neighbour_average": "neighbour average",
    "shuffled_graph": "shuffled graph",
}


def shown(method: str) -> str:
    """Return the name that a table shows; an unknown method keeps its own."""
    return NAMES.get(method, method)
