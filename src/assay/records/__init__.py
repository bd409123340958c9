"""The nouns that every room speaks: frozen, typed, free of files and networks."""

from assay.records.arrays import Bools, Floats, Ints, Names, PerQuery
from assay.records.comparison import Comparison, Interval
from assay.records.comparisons import Candidate, Change, Comparisons, ToJudge
from assay.records.evaluation import Evaluation
from assay.records.judged import Coverage, JudgedRankings, ratio
from assay.records.judgments import Judgments
from assay.records.metric import Formula, Kind, Metric
from assay.records.names import Words, as_words, decode, encode, fingerprints, join
from assay.records.rankings import Rankings
from assay.records.table import Cell, Table
from assay.records.verdict import Outcome, Verdict

__all__ = [
    "Bools",
    "Candidate",
    "Cell",
    "Change",
    "Comparison",
    "Comparisons",
    "Coverage",
    "Evaluation",
    "Floats",
    "Formula",
    "Interval",
    "Ints",
    "JudgedRankings",
    "Judgments",
    "Kind",
    "Metric",
    "Names",
    "Outcome",
    "PerQuery",
    "Rankings",
    "Table",
    "ToJudge",
    "Verdict",
    "Words",
    "as_words",
    "decode",
    "encode",
    "fingerprints",
    "join",
    "ratio",
]
