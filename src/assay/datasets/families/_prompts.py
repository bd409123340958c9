"""Prompts: the text of a file up to a call, cut to what makes a query."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assay.datasets.families._call_sites import CallSite
from assay.datasets.families._windows import Lines, survives, without_windows

__all__ = ["USED_UP", "Ending", "Prompt", "Shape", "prompt_of", "prompt_refusal"]

FEWEST = 3  # lines with something on them that make a query
USED_UP = "calls in files with little other content"
LEFT = 2  # such lines that a file must keep without its prompts
Ending = Literal["kept", "cut"]


@dataclass(frozen=True, slots=True)
class Shape:
    """How prompts are cut: to so many lines, to so many characters, with the call or before it.

    0 is no cut. Prompts that are ``apart`` share no line with each other, and no run of their lines
    occurs in the rest of their file.
    """

    lines: int
    characters: int
    call: Ending
    apart: bool


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is said up to a call, and the lines that it touches."""

    site: CallSite
    lines: Lines
    text: str


def prompt_of(site: CallSite, text: Sequence[str], shape: Shape) -> Prompt:
    """Cut the lines of a file to the prompt of a call."""
    before = site.first - 1
    last = site.last if shape.call == "kept" else before
    first = max(1, before + (shape.call == "kept") - shape.lines + 1) if shape.lines else 1
    while first < last and not text[first - 1].strip():
        first += 1  # a query does not begin with blank lines
    said = "\n".join(line.rstrip() for line in text[first - 1 : last])
    start = max(0, len(said) - shape.characters) if shape.characters else 0
    start += len(said[start:]) - len(said[start:].lstrip("\n"))
    return Prompt(site, (first + said.count("\n", 0, start), last), said[start:])


def prompt_refusal(
    prompt: Prompt, text: Sequence[str], beside: Sequence[Prompt], shape: Shape, per_file: int
) -> str:
    """Say why a prompt does not serve, ``beside`` those of the same file; nothing if it does."""
    first, last = prompt.lines
    inside = text[first - 1 : last]
    over = bool(shape.lines) and prompt.site.last - prompt.site.first >= shape.lines
    long = shape.call == "kept" and (over or prompt.site.first < first)
    checks = {
        "calls above the limit per file": len(beside) >= per_file,
        "calls that span too many lines": long,
        "calls with too few lines before them": sum(bool(line.strip()) for line in inside) < FEWEST,
        "calls too close to another call": shape.apart
        and any(_overlap(prompt.lines, other.lines) for other in beside),
        USED_UP: shape.apart and _used_up(prompt, beside, text),
    }
    found = next((reason for reason, holds in checks.items() if holds), "")
    if not found and shape.apart and survives(inside, without_windows(text, [prompt.lines])):
        found = "calls whose lines occur again in the file"
    return found


def _used_up(prompt: Prompt, beside: Sequence[Prompt], text: Sequence[str]) -> bool:
    """Say whether so much of a file is in its prompts that the rest does not identify it."""
    taken = [one.lines for one in (prompt, *beside)]
    left = sum(bool(line.strip()) for line in without_windows(text, taken))
    whole = sum(bool(line.strip()) for line in text)
    return left < LEFT or (bool(beside) and left < whole / 2)


def _overlap(one: Lines, other: Lines) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]
