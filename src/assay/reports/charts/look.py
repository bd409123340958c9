"""How charts look: fonts, sizes and colours, for files on paper and for a page with two schemes."""

from dataclasses import dataclass
from typing import Any

__all__ = ["PAGE", "PAPER", "ChartStyle", "variables"]

SCHEMES = ("light", "dark")
# Text has a contrast of 4.5 or more on paper, marks one of 3 or more; a test computes both.
PLAIN = {
    "paper": ("#ffffff", "#14171c"),
    "ink": ("#1b1f24", "#e6e8eb"),
    "quiet": ("#57606a", "#a3abb5"),
    "axis": ("#8a929b", "#6b737d"),
    "grid": ("#e4e7eb", "#2b3139"),
    "kept": ("#d0d6dd", "#3d4651"),
    "accent": ("#1f6fb8", "#62a8ea"),
    "better": ("#0b7a53", "#35b58a"),
    "worse": ("#b3400e", "#ef8354"),
}
# Eight hues in two lightnesses that alternate: neighbours differ in lightness, too, which is what
# is left of a colour for those who see fewer of them. Shapes and numbers do the rest.
RUNS = (
    ("#0961bb", "#4693f1"),
    ("#cf630d", "#fea572"),
    ("#0b764d", "#16ac73"),
    ("#c6589c", "#ff96d3"),
    ("#756208", "#ac9003"),
    ("#966cd7", "#c9adfd"),
    ("#02717a", "#13a5b2"),
    ("#d55753", "#fda19a"),
    ("#3986e4", "#92c1fd"),
    ("#9b4805", "#dd6f23"),
    ("#019f68", "#43dd9a"),
    ("#9e3378", "#d465a8"),
    ("#9e840a", "#debb19"),
    ("#7347af", "#a278e4"),
    ("#0698a4", "#11d6e7"),
    ("#ac3031", "#e3645e"),
)
# Text stands on these in the colour of the paper, so their contrast to it is 4.5 or more. Any two
# differ by 10 or more (CIE76) for those who see all colours and for those who lack a cone, of
# which a test computes what they see; what is kept is lighter than all of them.
STAGES = (
    ("#225bad", "#6fb1f9"),
    ("#ba4e02", "#f59657"),
    ("#017887", "#56d8e1"),
    ("#512f82", "#9886f7"),
    ("#02653f", "#4fc88b"),
    ("#b64b8f", "#d682ca"),
    ("#5c4b00", "#ccb635"),
    ("#7e1f21", "#df6565"),
    ("#182963", "#7387d9"),
    ("#ad2e6c", "#ff9fc2"),
    ("#6d7c1a", "#c7dc6f"),
    ("#535c68", "#8994a7"),
    ("#222830", "#e9edf2"),
    ("#7266ce", "#c9bcff"),
    ("#7d2cc4", "#a3e635"),
)
# Each has its own colour in every report; those of one search stand far apart.
PLACES = (
    *("lexical", "dense", "retrieve", "order", "fuse", "coherence", "collapse", "cut"),
    *("judgments", "rerank", "threshold", "corpus", "failed", "diversify", "filter"),
)
SAME = {"search": "retrieve"}  # what a system does by itself
SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)


@dataclass(frozen=True, slots=True)
class ChartStyle:
    """Colours are what SVG takes: a value, or a variable that the page around it sets.

    ``titled`` charts say in a line what they are; on a page the heading above does.
    """

    name: str
    paper: str
    ink: str
    quiet: str
    axis: str
    grid: str
    kept: str
    accent: str
    better: str
    worse: str
    runs: tuple[str, ...]
    stages: tuple[str, ...]
    titled: bool = True
    # Of one width wherever they are: what is measured here also fits elsewhere.
    font: str = "Arial, 'Liberation Sans', Helvetica, sans-serif"
    size: float = 11
    width: float = 680

    def run(self, number: int) -> str:
        """Return the colour of a run by its number in the report (the first is 1)."""
        return self.runs[(number - 1) % len(self.runs)]

    def shape(self, number: int) -> str:
        """Return the shape of a run; those of one shape differ much in colour, for everybody."""
        return SHAPES[((number - 1) + (number - 1) // len(SHAPES)) % len(SHAPES)]

    def stage(self, name: str) -> str:
        """Return the colour of a stage, which is the same in all reports."""
        known = SAME.get(name, name)
        place = PLACES.index(known) if known in PLACES else sum(name.encode())
        return self.stages[place % len(self.stages)]


def variables(scheme: str) -> dict[str, str]:
    """Return the variables that the look ``page`` asks for, with their values in a scheme.

    >>> variables("dark")["--ink"], variables("light")["--run-1"]
    ('#e6e8eb', '#0961bb')
    """
    at = SCHEMES.index(scheme)
    told = {f"--{name}": pair[at] for name, pair in PLAIN.items()}
    told |= {f"--run-{number}": pair[at] for number, pair in enumerate(RUNS, 1)}
    return told | {f"--stage-{number}": pair[at] for number, pair in enumerate(STAGES, 1)}


def _look(name: str, colours: dict[str, str], *, titled: bool = True) -> ChartStyle:
    many = {
        kind: tuple(value for key, value in colours.items() if key.startswith(f"--{kind[:-1]}-"))
        for kind in ("runs", "stages")
    }
    plain: dict[str, Any] = {key: colours[f"--{key}"] for key in PLAIN}
    return ChartStyle(name, **plain, runs=many["runs"], stages=many["stages"], titled=titled)


PAPER = _look("paper", variables("light"))
PAGE = _look("page", {name: f"var({name})" for name in variables("light")}, titled=False)
