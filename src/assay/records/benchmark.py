"""What is to be measured: a dataset, a corpus, and the configurations that are tried on them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.records.configuration import Configuration

__all__ = ["Benchmark"]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark as its file gives it; paths are ready to be opened.

    ``corpus`` is None where the dataset holds or names its own; the paths in it are relative to
    ``home``. ``metrics`` has the primary one first, by their canonical names. ``baseline`` names
    the configuration that the others are compared with. ``budgets`` are the most that a
    configuration may cost. ``margin`` is the share of the baseline's score that nobody would
    notice. ``file`` is where it stands, for messages.
    """

    name: str
    dataset: str
    configurations: tuple[Configuration, ...]
    metrics: tuple[str, ...]
    corpus: str | Mapping[str, object] | None = None
    baseline: str = ""
    budgets: Mapping[str, float] = field(default_factory=dict)
    home: str = ""
    description: str = ""
    margin: float = 0.02
    file: str = field(default="", compare=False)

    @property
    def primary(self) -> str:
        """The metric that decides."""
        return self.metrics[0]
