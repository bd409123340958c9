"""How charts look: fonts, sizes and colours, for files on paper and for a page with two schemes."""

from dataclasses import dataclass
from typing import Any

__all__ = ["DARK", "PAGE", "PAPER", "Look", "variables"]

SCHEMES = ("light", "dark")
# Text has a contrast of 4.5 or more on paper, marks one of 3 or more; a test computes both.
PLAIN = {
    "paper": ("#ffffff", "#14171c"),
    "ink": ("#1b1f24", "#e6e8eb"),
    "quiet": ("#57606a", "#a3abb5"),
    "axis": ("#8a929b", "#6b737d"),
    "grid": ("#e4e7eb", "#2b3139"),
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
# Text stands on these in the colour of the paper, so their contrast to it is 4.5 or more.
STAGES = (
    ("#2863ab", "#7cb4fc"),
    ("#9b4805", "#f39762"),
    ("#0b764d", "#5aca94"),
    ("#954074", "#eb8ec4"),
    ("#756208", "#cbb042"),
    ("#6f4fa1", "#be9df7"),
    ("#02717a", "#21c7d7"),
    ("#a03f3c", "#f98f87"),
    ("#4f5aac", "#9babfd"),
    ("#4a710a", "#96c166"),
    ("#7a4a24", "#d3a074"),
    ("#4d5d73", "#a9bad1"),
    ("#8a2f5f", "#f287b7"),
    ("#5d6330", "#b9bd7c"),
)
# Each has its own colour in every report; those of one search stand far apart.
PLACES = (
    *("lexical", "dense", "retrieve", "order", "fuse", "coherence", "collapse", "cut"),
    *("judgments", "rerank", "threshold", "corpus", "failed", "diversify"),
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
class Look:
    """Colours are what SVG takes: a value, or a variable that the page around it sets.

    ``titled`` charts say in a line what they are; on a page the heading above does.
    """

    name: str
    paper: str
    ink: str
    quiet: str
    axis: str
    grid: str
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
        """Return the colour of a run by its number in the report, from 1 on."""
        return self.runs[(number - 1) % len(self.runs)]

    def shape(self, number: int) -> str:
        """Return the shape of a run; two runs of one hue have different ones."""
        return SHAPES[((number - 1) + 3 * ((number - 1) // len(SHAPES))) % len(SHAPES)]

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


def _look(name: str, colours: dict[str, str], *, titled: bool = True) -> Look:
    many = {
        kind: tuple(value for key, value in colours.items() if key.startswith(f"--{kind[:-1]}-"))
        for kind in ("runs", "stages")
    }
    plain: dict[str, Any] = {key: colours[f"--{key}"] for key in PLAIN}
    return Look(name, **plain, runs=many["runs"], stages=many["stages"], titled=titled)


PAPER = _look("paper", variables("light"))
DARK = _look("dark", variables("dark"))
PAGE = _look("page", {name: f"var({name})" for name in variables("light")}, titled=False)
