"""The options that turn verdicts into an exit code, for every command that decides."""

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

import click

from assay.cli.terminal.output import note
from assay.records.verdict import DONT_SHIP

if TYPE_CHECKING:
    from assay.records import Verdict

__all__ = ["check_options", "exit_code"]

REFUSED, UNDECIDED = 1, 3


def check_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --check and --check-all."""
    for decorate in (
        click.option(
            "--check-all",
            is_flag=True,
            help=f"Exit with 0 if every candidate is SHIP, 1 if any is {DONT_SHIP}, otherwise 3.",
        ),
        click.option(
            "--check",
            is_flag=True,
            help=f"Exit with 0 if any candidate is SHIP, 1 if all are {DONT_SHIP}, otherwise 3.",
        ),
    ):
        command = decorate(command)
    return command


def exit_code(
    verdicts: "Iterable[Verdict]", *, check: bool, check_all: bool, noun: str = "candidate"
) -> int | None:
    """Turn verdicts on candidates (or another ``noun``) into an exit code; None if not asked."""
    if not (check or check_all):
        return None
    outcomes: set[str] = {one.outcome for one in verdicts}
    if not outcomes:
        note("no verdict: there is no candidate to compare with a baseline (exit code 3)")
        return UNDECIDED
    code = _of_all(outcomes) if check_all else _of_any(outcomes)
    if code == UNDECIDED:
        which = f"no {noun} is SHIP, and not all are {DONT_SHIP}"
        which = f"not every {noun} is SHIP, and none is {DONT_SHIP}" if check_all else which
        note(f"undecided: {which} (exit code 3)")
    return code


def _of_any(outcomes: Collection[str]) -> int:
    if "ship" in outcomes:
        return 0
    return REFUSED if set(outcomes) == {"dont_ship"} else UNDECIDED


def _of_all(outcomes: Collection[str]) -> int:
    if "dont_ship" in outcomes:
        return REFUSED
    return 0 if set(outcomes) == {"ship"} else UNDECIDED
