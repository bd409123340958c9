"""One check on one run: the two runs that it compares, and the reports that they come from."""

from dataclasses import dataclass

from assay.benchmarks.gates.figures import Figure
from assay.benchmarks.since.match import ReportSide
from assay.records import Run
from assay.records.gate import Check
from assay.verdicts.gate import CheckEvidence

__all__ = ["GateTrial"]


@dataclass(frozen=True, slots=True)
class GateTrial:
    """A check, the run that it is on, and the earlier run, if there is one.

    ``comparable`` is whether nothing that times depend on differs between the two reports;
    ``strict_env`` compares times even so.
    """

    check: Check
    figure: Figure
    current: ReportSide
    run: Run
    baseline: ReportSide | None = None
    earlier: Run | None = None
    comparable: bool = True
    strict_env: bool = False
    seed: int = 0

    @property
    def evidence(self) -> CheckEvidence:
        """What is known before any figure is looked up."""
        return CheckEvidence(
            self.check,
            self.run.name,
            higher_is_better=bool(self.figure.higher_is_better),
            broken=self._broken,
            unknown=self._unknown,
            baseline_run=self.earlier.name if self.earlier else "",
        )

    @property
    def _broken(self) -> str:
        """Say that the run itself failed; nothing where it did not."""
        if self.run.status != "failed":
            return ""
        reason = self.run.error.partition("\n")[0]
        return f"the run failed: {reason}" if reason else "the run failed"

    @property
    def _unknown(self) -> str:
        """Say why nothing can be decided: the run did not finish, or the baseline has none."""
        if self.run.status == "beaten":
            return "the run was stopped early by a race"
        if self.run.status == "cancelled":
            return "the run was cancelled"
        if self.check.kind != "allow":
            return ""
        if self.earlier is None:
            return "the baseline has no such run"
        if self.earlier.status != "completed":
            ended = {"beaten": "was stopped early by a race"}.get(self.earlier.status)
            return f"the run of the baseline {ended or self.earlier.status}"
        return ""
