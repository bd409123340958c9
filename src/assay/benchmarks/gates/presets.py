"""The checks of a gate: given one by one, or as presets that depend on the run and the corpus."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from assay.benchmarks.gates.figures import UPLIFT, find_figure
from assay.benchmarks.gates.read_checks import CheckSource, read_checks
from assay.errors import InputError
from assay.records import Report, Run
from assay.records.gate import Check, CheckKind
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["DEFAULT", "PRESETS", "GateChecks", "Preset", "default_checks", "read_preset"]

DEFAULT = "5%"  # of the primary metric, where no check is given
USUAL = "ndcg@10"

SERVERS = ("openai:",)  # models behind an API; Ollama runs on this machine
KINDS: tuple[CheckKind, ...] = ("allow", "min", "max")
VAULT = 10_000  # documents that 100 MB are meant for


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset with its amount, e.g. the smallest uplift."""

    name: str
    amount: float

    def __str__(self) -> str:
        usual = PRESETS[self.name].amount in (None, self.amount)
        return self.name if usual else f"{self.name}={self.amount * 100:.10g}%"

    def checks(self, report: Report, run: Run) -> Iterator[Check]:
        """Yield the checks of one run."""
        for one in PRESETS[self.name].checks(report, run, self.amount):
            yield replace(one, preset=self.name)


@dataclass(frozen=True, slots=True)
class _Definition:
    """What a preset checks, and its amount where none is given; None if it takes none.

    ``needs`` is a figure that some run must have: without it the preset would always pass.
    """

    summary: str
    checks: Callable[[Report, Run, float], Iterator[Check]]
    amount: float | None = None
    needs: str = ""
    needed_by: str = "name a `baseline` in the benchmark that other runs are compared with"


def _targets(report: Report, run: Run, _amount: float) -> Iterator[Check]:
    remote = str(run.configuration.get("model") or "").startswith(SERVERS)
    documents = float(report.corpus.get("documents") or 0)
    yield Check("mrr@10", "min", 0.6)
    yield Check("recall@10", "min", 0.7)
    yield Check("ndcg@10", "min", 0.65)
    yield Check("latency_p50_ms", "max", 50.0)
    yield Check("latency_p95_ms", "max", 100.0)
    yield Check("latency_p99_ms", "max", 200.0)
    yield Check("files_per_second", "min", 20.0 if remote else 10.0)
    yield Check("peak_memory_mb", "max", 2_000.0)
    yield Check("bytes_per_document", "max", 10_000.0)
    yield Check("index_bytes", "max", 1e8 * max(1.0, documents / VAULT))


def _regression(_report: Report, _run: Run, amount: float) -> Iterator[Check]:
    for figure in ("mrr@10", "recall@10", "latency_p95_ms"):
        yield Check(figure, "allow", amount, relative=True)


def _uplift(_report: Report, _run: Run, amount: float) -> Iterator[Check]:
    yield Check("uplift", "min", amount)
    yield Check("latency_p95_ms", "allow", 0.25, relative=True)


def _structure(_report: Report, run: Run, amount: float) -> Iterator[Check]:
    if run.structure is None:
        return
    yield Check("latency_p95_ms", "max", 400.0)
    yield Check("fallback_rate", "max", 0.05)
    yield Check("easy_gate_rate", "min", 0.3)
    yield Check("easy_gate_rate", "max", 0.6)
    yield Check("edge_overlap_p50", "min", 0.25)
    yield Check("uplift", "min", amount)


def _budgets(report: Report, _run: Run, _amount: float) -> Iterator[Check]:
    """Yield the limits of the benchmark file: minima where higher is better."""
    for name, limit in (report.benchmark.get("budgets") or {}).items():
        kind: CheckKind = "min" if find_figure(name).higher_is_better else "max"
        yield Check(name, kind, float(limit))


PRESETS: dict[str, _Definition] = {
    "targets": _Definition(
        "Quality, latency, throughput, memory and storage of an embedding search: mrr@10 0.6, "
        "recall@10 0.7, ndcg@10 0.65, p50/p95/p99 50/100/200 ms, 10 files/s (20 with a model "
        "behind an API), 2 GB of memory, 10 KB per document, 100 MB per 10,000 documents.",
        _targets,
    ),
    "regression": _Definition(
        "mrr@10, recall@10 and latency_p95_ms at most 5% worse; regression=3% for another share.",
        _regression,
        0.05,
    ),
    "uplift": _Definition(
        "Uplift over the vector baseline at least 3%, latency_p95_ms at most 25% worse; "
        "uplift=10% for another share.",
        _uplift,
        0.03,
        needs=UPLIFT,
    ),
    "budgets": _Definition("The `budgets` of the benchmark file, as limits.", _budgets),
    "structure": _Definition(
        "Coherence ranking: p95 at most 400 ms, fallbacks at most 5%, easy gate 30-60%, median "
        "edge overlap at least 0.25, uplift at least 3%; structure=5% for another uplift.",
        _structure,
        0.03,
        needs=UPLIFT,
        needed_by="use it for a benchmark with coherence ranking",
    ),
}


def read_preset(text: str) -> Preset:
    """Read a preset, with its amount behind an equals sign.

    >>> read_preset("uplift=10%")
    Preset(name='uplift', amount=0.1)
    """
    name, equals, amount = (part.strip() for part in str(text).partition("="))
    if name not in PRESETS:
        raise InputError(f'unknown preset "{name[:60]}"', hint=did_you_mean(name, [*PRESETS]))
    default = PRESETS[name].amount
    if not equals:
        return Preset(name, default or 0.0)
    if default is None:
        raise InputError(f"the preset {name} takes no amount", hint=f"write --preset {name}")
    return Preset(name, _share(amount, name))


def _share(text: str, name: str) -> float:
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1:
        hint = f"expected a share, e.g. {name}=5% or {name}=0.05"
        raise InputError(f"invalid amount {quote_value(text)}", where=f"--preset {name}", hint=hint)
    return number


def _refuse_twice(names: Sequence[str]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError("check given twice", where=twice, hint="give one amount")


@dataclass(frozen=True, slots=True)
class GateChecks:
    """The checks that are given, one by one and as presets."""

    checks: tuple[Check, ...] = ()
    presets: tuple[Preset, ...] = ()

    @classmethod
    def read(cls, *, preset: str | Sequence[str] = (), **given: CheckSource) -> "GateChecks":
        """Read them as they are written, by their kind: allow, min, max.

        >>> GateChecks.read(min="mrr@10:0.6", preset="regression").texts
        {'min': ('mrr@10:0.6',), 'preset': ('regression',)}
        """
        found = [one for kind in KINDS for one in read_checks(given.get(kind, ()), kind)]
        _refuse_twice([f"--{one.kind} {one.name}" for one in found])
        named = [preset] if isinstance(preset, str) else preset
        return cls(tuple(found), tuple(read_preset(one) for one in named))

    def __bool__(self) -> bool:
        return bool(self.checks or self.presets)

    @property
    def texts(self) -> dict[str, tuple[str, ...]]:
        """What ``read`` takes, by kind; kinds without a check are left out."""
        found = {kind: tuple(str(c) for c in self.checks if c.kind == kind) for kind in KINDS}
        told: dict[str, tuple[str, ...]] = {kind: some for kind, some in found.items() if some}
        return told | ({"preset": tuple(map(str, self.presets))} if self.presets else {})

    def of(self, report: Report, run: Run) -> list[Check]:
        """Return the checks of a run, each once: what is given goes before what a preset says."""
        known = {(one.name, one.kind): one for one in self.checks}
        for preset in self.presets:
            for one in preset.checks(report, run):
                known.setdefault((one.name, one.kind), one)
        return [*known.values()]


def default_checks(report: Report) -> GateChecks:
    """Return the check where none is given: the primary metric may be 5% worse."""
    primary = report.benchmark.get("primary") or USUAL
    return GateChecks.read(allow=f"{primary}:{DEFAULT}")
