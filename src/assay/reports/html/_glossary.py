"""Glossary: what the figures of receipts mean, each in a sentence."""

__all__ = ["glossary"]

TERMS = {
    "easy gate": "share of the queries whose cosine ranking is kept because their first result is "
    "well ahead of the tenth",
    "low-impact gate": "share of the queries whose cosine ranking is kept because deltaH is small",
    "fallback": "share of the queries with the cosine ranking because no solution was found",
    "gated": "queries whose cosine ranking a gate keeps; ungated: all others",
    "deltaH": "energy drop from the smoothed results to the solution for the query; 0 if the "
    "results are coherent already",
    "coherence fraction": "share of the energy drop due to coherence; can exceed 1",
    "condition bound": "upper bound of the condition number of the solved system; near 1 is easy "
    "to solve",
    "deltaH per ms": "energy drop per millisecond of solving",
    "edge overlap": "share of the edges of the exact neighbour graph that the approximate one has",
    "redundancy": "mean pairwise cosine of the documents in the top k; 1 if all are the same",
    "MMR": "maximal marginal relevance: reranks so that the top k are less alike",
    "complete": "share of the promised fields that the receipts have",
    "suggested alpha": "weight of coherence in the score that fits these queries, from the "
    "correlation of deltaH and uplift",
    "uplift": "difference in score from cosine ranking",
    "neighbour average": "control: the mean of a document's cosine and of its neighbours' cosines",
    "shuffled graph": "control: coherence on a graph whose nodes were shuffled",
    "W/T/L": "queries won, tied and lost",
}


def glossary(text: str) -> list[tuple[str, str]]:
    """Define the terms that a text has."""
    return [(term, f"{meaning}.") for term, meaning in TERMS.items() if term in text]
