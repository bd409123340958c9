"""Changes: the queries that moved most, up and down."""

from assay.records import Candidate, Cell, Change, Table

__all__ = ["changes"]


def changes(candidate: Candidate, *, primary: str, most: int = 5) -> Table | None:
    """Show the largest gains and the largest losses; None when no query changed."""
    if not candidate.changes:
        return None
    gains = [change for change in candidate.changes if change.difference > 0][:most]
    losses = [change for change in candidate.changes if change.difference < 0][:most]
    rows = [_row(change) for change in (*gains, *reversed(losses))]
    texts = {
        (r, 3): f"{change.difference:+.4f}" for r, change in enumerate((*gains, *reversed(losses)))
    }
    caption = f"Queries that changed most with {candidate.run}"
    return Table(("query", "before", primary, "change"), rows, caption=caption, texts=texts)


def _row(change: Change) -> list[Cell]:
    return [change.query, change.baseline, change.candidate, change.difference]
