"""The fields of a run in a shape of others: what is not known is null, and a note says why."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Run

__all__ = ["RunFields", "queries_of"]


class RunFields:
    """The fields of one run, with a note for each that needs one, by the path of the field."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.notes: dict[str, str] = {}

    def known(self, field: str, value: Any, reason: str) -> Any:  # noqa: ANN401
        """Return a value; where it is None, remember why."""
        if value is None:
            self.notes[field] = self._fault() or reason
        return value

    def score(self, field: str, metric: str, scores: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401
        """Return the score of a metric, of the whole run or of a part of it."""
        value = (self.run.scores if scores is None else scores).get(metric)
        return self.known(field, value, self.unmeasured(metric))

    def unmeasured(self, metric: str) -> str:
        """Say why a metric has no score: it is deeper than the answers, or is not kept."""
        top, deep = self.run.configuration.get("top_k"), metric.rpartition("@")[2]
        if isinstance(top, int) and deep.isdigit() and top < int(deep):
            return f"the search returns only {top} documents (top_k)"
        return f"{metric} was not measured: add it to `metrics`"

    def measured(self, field: str, part: str, name: str, *, factor: float = 1.0) -> Any:  # noqa: ANN401
        """Return a figure of the latency, the indexing or the storage, in the unit of others."""
        value = getattr(self.run, part).get(name)
        value = self.known(field, value, f"{part}.{name} was not measured")
        return value if value is None or factor == 1 else value * factor

    def say_partial(self, field: str) -> None:
        """Say where scores are of some queries alone, as those of a run that a race stopped."""
        if self.run.status in ("beaten", "cancelled") and self.run.scores:
            asked = len(self.run.per_query)
            self.say(field, f"the run is {self.run.status}: queries in its scores: {asked:,}")

    def say(self, field: str, remark: str) -> None:
        """Remember what a reader of this field should know; the first remark stays."""
        self.notes.setdefault(field, remark)

    def _fault(self) -> str:
        """Say what befell the run, which is why it has no figures."""
        if self.run.status == "completed":
            return ""
        return f"the run is {self.run.status}" + (f": {self.run.error}" if self.run.error else "")


def queries_of(report: Report, run: Run) -> int | None:
    """Return how many queries the figures of a run are about."""
    if run.status == "beaten" or "queries" not in report.dataset:
        return len(run.per_query)
    return int(report.dataset["queries"])
