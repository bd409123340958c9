"""What packages exchange: frozen, typed records, free of files and networks."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.records.arrays import Bools, Bytes, Floats, Ints, Names, PerQuery, Rows, Words
    from assay.records.audit import Agreement, Audit, AuditSettings, Coefficient, Finding
    from assay.records.benchmark import Benchmark, Collection
    from assay.records.chunk import Chunk, ChunkedDocument, Chunker
    from assay.records.coherence import CoherenceSettings, MmrSettings
    from assay.records.comparison import Comparison
    from assay.records.comparisons import Candidate, Change, Comparisons, ToJudge
    from assay.records.configuration import Configuration
    from assay.records.contents import Contents
    from assay.records.dataset import (
        FACTOR,
        KEYS,
        Dataset,
        Judgment,
        Match,
        Query,
        Rationale,
        Reference,
    )
    from assay.records.document import Corpus, Define, Document
    from assay.records.evaluation import Evaluation
    from assay.records.evidence import BestSet, CorrectedGain, Effect, NonInferiority, RaceStanding
    from assay.records.generated_dataset import Code, GeneratedDataset, Singles
    from assay.records.health import Health, HealthFinding, Quality, Reading, State
    from assay.records.interval import Interval
    from assay.records.judged import Coverage, JudgedRankings, ratio
    from assay.records.judgments import Judgments
    from assay.records.lexical import LexicalIndex
    from assay.records.lookup import Lookup
    from assay.records.loss import Loss
    from assay.records.metric import Formula, Kind, Metric
    from assay.records.model import Embedder, PairScorer, TokenEmbedder, Vectors
    from assay.records.names import as_words, decode, encode, fingerprints, join
    from assay.records.rankings import Rankings
    from assay.records.receipt import Receipt, ReceiptItem, StructureStudy
    from assay.records.report import Report, Run
    from assay.records.resolution import (
        Reason,
        Resolution,
        ResolvedReference,
        UnknownSymbol,
    )
    from assay.records.search import Answer, FoundRows, Hit, SearchInput, Stage, StageTrace
    from assay.records.structure import (
        Correlation,
        Distribution,
        Method,
        Relation,
        Structure,
        Target,
        Uplift,
        UpliftTrial,
        UpliftTrials,
    )
    from assay.records.syntax import Call, Definition
    from assay.records.system import Store, System, SystemReply
    from assay.records.table import Cell, Table
    from assay.records.track import Track, labelled, moving, untracked
    from assay.records.verdict import BrokenLimit, Outcome, Rule, Verdict
    from assay.records.work import (
        Claim,
        RecordedAnswer,
        StartedBenchmark,
        Unit,
        UnitState,
        WorkState,
    )

__all__ = [
    "FACTOR",
    "KEYS",
    "Agreement",
    "Answer",
    "Audit",
    "AuditSettings",
    "Benchmark",
    "BestSet",
    "Bools",
    "BrokenLimit",
    "Bytes",
    "Call",
    "Candidate",
    "Cell",
    "Change",
    "Chunk",
    "ChunkedDocument",
    "Chunker",
    "Claim",
    "Code",
    "Coefficient",
    "CoherenceSettings",
    "Collection",
    "Comparison",
    "Comparisons",
    "Configuration",
    "Contents",
    "Corpus",
    "CorrectedGain",
    "Correlation",
    "Coverage",
    "Dataset",
    "Define",
    "Definition",
    "Distribution",
    "Document",
    "Effect",
    "Embedder",
    "Evaluation",
    "Finding",
    "Floats",
    "Formula",
    "FoundRows",
    "GeneratedDataset",
    "Health",
    "HealthFinding",
    "Hit",
    "Interval",
    "Ints",
    "JudgedRankings",
    "Judgment",
    "Judgments",
    "Kind",
    "LexicalIndex",
    "Lookup",
    "Loss",
    "Match",
    "Method",
    "Metric",
    "MmrSettings",
    "Names",
    "NonInferiority",
    "Outcome",
    "PairScorer",
    "PerQuery",
    "Quality",
    "Query",
    "RaceStanding",
    "Rankings",
    "Rationale",
    "Reading",
    "Reason",
    "Receipt",
    "ReceiptItem",
    "RecordedAnswer",
    "Reference",
    "Relation",
    "Report",
    "Resolution",
    "ResolvedReference",
    "Rows",
    "Rule",
    "Run",
    "SearchInput",
    "Singles",
    "Stage",
    "StageTrace",
    "StartedBenchmark",
    "State",
    "Store",
    "Structure",
    "StructureStudy",
    "System",
    "SystemReply",
    "Table",
    "Target",
    "ToJudge",
    "TokenEmbedder",
    "Track",
    "Unit",
    "UnitState",
    "UnknownSymbol",
    "Uplift",
    "UpliftTrial",
    "UpliftTrials",
    "Vectors",
    "Verdict",
    "Words",
    "WorkState",
    "as_words",
    "decode",
    "encode",
    "fingerprints",
    "join",
    "labelled",
    "moving",
    "ratio",
    "untracked",
]

# Each noun is imported when it is first asked for: an evaluation needs a third of them.
_HOMES = {
    "arrays": "Bools Bytes Floats Ints Names PerQuery Rows Words",
    "audit": "Agreement Audit AuditSettings Coefficient Finding",
    "benchmark": "Benchmark Collection",
    "chunk": "Chunk ChunkedDocument Chunker",
    "coherence": "CoherenceSettings MmrSettings",
    "comparison": "Comparison",
    "comparisons": "Candidate Change Comparisons ToJudge",
    "configuration": "Configuration",
    "contents": "Contents",
    "dataset": "FACTOR KEYS Dataset Judgment Match Query Rationale Reference",
    "document": "Corpus Define Document",
    "evaluation": "Evaluation",
    "evidence": "BestSet CorrectedGain Effect NonInferiority RaceStanding",
    "generated_dataset": "Code GeneratedDataset Singles",
    "health": "Health HealthFinding Quality Reading State",
    "interval": "Interval",
    "judged": "Coverage JudgedRankings ratio",
    "judgments": "Judgments",
    "lexical": "LexicalIndex",
    "lookup": "Lookup",
    "loss": "Loss",
    "metric": "Formula Kind Metric",
    "model": "Embedder PairScorer TokenEmbedder Vectors",
    "names": "as_words decode encode fingerprints join",
    "rankings": "Rankings",
    "receipt": "Receipt ReceiptItem StructureStudy",
    "report": "Report Run",
    "resolution": "Reason Resolution ResolvedReference UnknownSymbol",
    "search": "Answer SearchInput FoundRows Hit Stage StageTrace",
    "structure": (
        "Correlation Distribution Method Relation Structure Target Uplift UpliftTrial UpliftTrials"
    ),
    "syntax": "Call Definition",
    "system": "Store System SystemReply",
    "table": "Cell Table",
    "track": "Track labelled moving untracked",
    "verdict": "BrokenLimit Outcome Rule Verdict",
    "work": "StartedBenchmark Claim RecordedAnswer Unit UnitState WorkState",
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.records' has no attribute {name!r}")
    found: object = getattr(import_module(f"assay.records.{_HOME_OF[name]}"), name)
    globals()[name] = found
    return found
