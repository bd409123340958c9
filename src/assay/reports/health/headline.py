"""Headline: what an index holds, and how it is, in a sentence."""

from collections import Counter

from assay.records import Health, State
from assay.text.count_noun import count_noun

__all__ = ["headline"]

SAID: dict[State, str] = {"bad": "bad", "watch": "to watch", "unknown": "unknown", "good": "good"}


def headline(health: Health) -> str:
    """Say how much was looked at, and count the findings, the worst first."""
    documents, chunks = health.index.get("documents", 0), health.index.get("chunks", 0)
    states = Counter(one.state for one in health.findings)
    counts = ", ".join(f"{states[state]} {said}" for state, said in SAID.items() if states[state])
    held = f"{count_noun(documents, 'document')} in {count_noun(chunks, 'chunk')}"
    checks = count_noun(len(health.findings), "check")
    return f"{health.corpus}: {held}; {checks}{f': {counts}' if counts else ''}"
