"""The fields of a run in the layout of another tool: an unknown value is null, with a note."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Run
from assay.text.count_noun import count_noun

__all__ = ["UNREPORTED", "RunFields", "queries_of"]

UNREPORTED = "not in the report"


class RunFields:
    """The fields of one run, with a note for each that needs one, by the path of the field."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.notes: dict[str, str] = {}

    def known(self, field: str, value: Any, reason: str) -> Any:  # noqa: ANN401
        """Return a value; where it is None, note why."""
        if value is None:
            self.notes[field] = self._fault() or reason
        return value

    def score(self, field: str, metric: str, scores: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401
        """Return the score of a metric, of the whole run or of a part of it."""
        value = (self.run.scores if scores is None else scores).get(metric)
        return self.known(field, value, self.unmeasured(metric))

    def unmeasured(self, metric: str) -> str:
        """Say why a metric has no score: its k is above top_k, or it was not measured."""
        top, deep = self.run.configuration.get("top_k"), metric.rpartition("@")[2]
        if isinstance(top, int) and deep.isdigit() and top < int(deep):
            return f"the search returns only {top} documents (top_k)"
        return f"{metric} was not measured: add it to `metrics`"

    def measured(self, field: str, part: str, name: str, *, factor: float = 1.0) -> Any:  # noqa: ANN401
        """Return a figure of latency, indexing or storage, in the unit of the other tool."""
        value = getattr(self.run, part).get(name)
        value = self.known(field, value, f"{part}.{name} was not measured")
        return value if value is None or factor == 1 else value * factor

    def say_partial(self, field: str) -> None:
        """Note where scores are over some queries only, as in a run that a race stopped."""
        if self.run.status in ("beaten", "cancelled") and self.run.scores:
            over = count_noun(len(self.run.per_query), "query")
            self.say(field, f"the run {_ended(self.run)}: its scores are over {over}")

    def say(self, field: str, remark: str) -> None:
        """Note what a reader of this field should know; the first remark stays."""
        self.notes.setdefault(field, remark)

    def _fault(self) -> str:
        """Say how the run ended, which is why it has no figures."""
        if self.run.status == "completed":
            return ""
        return f"the run {_ended(self.run)}" + (f": {self.run.error}" if self.run.error else "")


def _ended(run: Run) -> str:
    """Say how a run ended: failed, was cancelled, or was stopped early by a race."""
    return {"failed": "failed", "beaten": "was stopped early"}.get(run.status, f"was {run.status}")


def queries_of(report: Report, run: Run) -> int | None:
    """Count the queries that the figures of a run are over."""
    if run.status == "beaten" or "queries" not in report.dataset:
        return len(run.per_query)
    return int(report.dataset["queries"])
