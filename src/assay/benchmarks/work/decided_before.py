"""How often a benchmark was decided before, as the ledger knows: each look is another test."""

from assay.workspace.ledger.ledger import Ledger

__all__ = ["decided_before"]


def decided_before(book: Ledger, benchmark: str) -> int:
    """Count the other decisions that were completed under the name of a benchmark.

    The same configurations on the same queries, judgments and documents are one decision, however
    often they are measured.
    """
    listed = book.benchmarks()
    own = next(one for one in listed if one.id == benchmark)
    mine = own.about.get("decision", own.identity)
    earlier = {
        one.about.get("decision", one.identity)
        for one in listed
        if one.name == own.name and one.state == "completed" and one.created <= own.created
    }
    return len(earlier - {mine})
