"""``assay judge``: grade, in the terminal, the documents that would settle a comparison."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from shlex import quote
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TextIO

import click

from assay.cli.options import URL, WORKSPACE
from assay.cli.terminal.keyboard import Keys, keyboard
from assay.cli.terminal.output import as_json, note, one_thread, wrap
from assay.cli.terminal.progress import clear, progress
from assay.errors import UsageError
from assay.text import sanitize, trusted

if TYPE_CHECKING:
    from assay.records import Agreement
    from assay.records.judging import Ask, Card, JudgingResult, JudgingView, View

__all__ = ["judge"]

MOVES = {"down": 1, "up": -1}
PAGES = {"space": 1, "page down": 1, "page up": -1}
NAMED = 3  # files that are named one by one
ONE_DIGIT = 9  # the largest grade that is one key


@click.command(short_help="Grade the documents that would settle a comparison.")
@click.argument("benchmark", metavar="FILE")
@click.option(
    "--report",
    metavar="REPORT",
    help="Report file, or the id of a report in the workspace (default: the latest report of this "
    "benchmark, if possible with the same configurations).",
)
@click.option(
    "--dataset",
    metavar="DATASET",
    help="Judge this dataset instead, such as the sample that `assay diff --to-judge` wrote.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Dataset file for the grades (default: judged.json, with --second judged-second.json). "
    "For several datasets: a folder with one file per dataset (default: judged, with --second "
    "judged-second).",
)
@click.option(
    "--judge", "name", default="", metavar="NAME", help="Name of the judge (default: your login)."
)
@click.option("--most", type=click.IntRange(min=1), help="Stop after this many grades.")
@click.option(
    "--second",
    metavar="FILE",
    help="Grade the documents of another judge's file or folder again, without seeing the grades.",
)
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="NAME",
    help="Settle only the comparisons of this run; repeat for several runs.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Random seed.",
)
@click.option("--json", "json_", is_flag=True, help="Print the result as JSON.")
@WORKSPACE
@URL
def judge(
    benchmark: str,
    *,
    json_: bool,
    name: str,
    url: str | None,
    **options: Any,  # noqa: ANN401
) -> int:
    """Grade the documents that the comparisons of the benchmark in FILE depend on.

    Documents are shown one at a time, in random order, without the runs that returned them. Keys: 0
    to 3 (or the dataset's scale) grade, s skips, u undoes, m shows more, a shows all, ? shows help,
    q quits. Each grade is saved immediately with the judge's name and the time; run the same
    command again to continue. If standard input is not a terminal, each line of it is a key.
    With --url, FILE is a benchmark of that service, by its id or name; the grades are stored there.
    """
    one_thread()
    work = _work(benchmark, url, {"judge": name, **options})
    if sys.stdin is not None and sys.stdin.isatty():
        screen = _screen()
        with keyboard() as keys, _cleared(screen):
            desk = _Desk(keys, screen)
            result = work(ask=desk.ask, seen=desk.seen)
    else:
        result = work(ask=_script())
    _tell(result, benchmark, json_=json_, url=url)
    if options["second"] is not None and not json_:
        _tell_next(result, benchmark, options["second"])
    return 0


def _work(
    benchmark: str, url: str | None, options: dict[str, Any]
) -> "Callable[..., JudgingResult]":
    """Return what is left to call with the way to ask: here, or with a service."""
    if url is None:
        from assay.workflows.judge import judge as workflow

        return partial(workflow, benchmark, track=progress, **options)
    from assay.cli.remote.judge import judge_remotely, refuse_local

    refuse_local(options)
    return partial(judge_remotely, benchmark, url, options)


def _screen() -> TextIO:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and stream.isatty():
            return trusted(stream)  # the page that is drawn is sanitized
    hint = "run it with output to a terminal, or pass the keys as lines of standard input"
    raise UsageError("no terminal to show documents in", hint=hint)


class _Desk:
    """Draws a document, lets the judge scroll, and hands on the keys that mean more than that."""

    def __init__(self, keys: Keys, screen: TextIO) -> None:
        self._keys, self._screen = keys, screen
        self._scroll, self._typed = 0, ""
        self._about, self._seen = ("", ""), list[int]()
        self._interrupted = False

    def seen(self, _card: "Card", _view: "View") -> tuple[int, int] | None:
        """Tell the first and the last line of the last document that were on the screen."""
        return (min(self._seen), max(self._seen)) if self._seen else None

    def ask(self, shown: "JudgingView") -> str:
        """Return a key; all is saved already, so that to interrupt is to quit."""
        clear()
        self._scroll, self._typed = 0, ""
        about = shown.card.query, shown.card.document
        if about != self._about:
            self._about, self._seen = about, []
        try:
            while not self._interrupted and not (key := self._looked(shown)):
                pass
        except (KeyboardInterrupt, EOFError):
            self._interrupted = True  # also where help is shown, which one key only takes away
        return "q" if self._interrupted else key

    def _looked(self, shown: "JudgingView") -> str:
        """Draw, and wait for a key; nothing where it only changes what is looked at."""
        size = get_terminal_size()
        self._draw(shown, size)
        key = self._keys.next(size)
        if shown.sitting.help:
            return key
        if key in MOVES or key in PAGES:
            by = MOVES.get(key, 0) + PAGES.get(key, 0) * (size.lines // 2)
            self._scroll = max(0, self._scroll + by)
            return ""
        if shown.sitting.scale > ONE_DIGIT:
            return self._number(key)
        return key

    def _number(self, key: str) -> str:
        """Put a grade of several digits together, until Enter."""
        typed = self._typed
        if key.isdigit() or (key == "backspace" and typed):
            self._typed = typed + key if key.isdigit() else typed[:-1]
            return ""
        return typed if key == "enter" and typed else key

    def _draw(self, shown: "JudgingView", size: os.terminal_size) -> None:
        from assay.reports.judging.screen import screen

        page = screen(
            shown.sitting,
            shown.card,
            width=size.columns,
            height=size.lines - 1 - bool(self._typed),  # the cursor waits in the last row
            scroll=self._scroll,
            left=shown.left,
            contests=shown.contests,
        )
        self._scroll = page.scroll
        self._seen += page.lines or ()
        typed = [f"grade: {self._typed}"] if self._typed else []
        start = "\n" if _is_plain() else "\x1b[H\x1b[2J"
        self._screen.write(start + "\n".join([*page.rows, *typed]) + "\n")
        self._screen.flush()


def _script() -> "Ask":
    """Take the lines of the input for keys; each document is named on stderr."""
    lines = _lines()
    asked = 0

    def ask(shown: "JudgingView") -> str:
        nonlocal asked
        clear()
        key = next(lines, None)
        if key is None and not asked:
            hint = (
                "run it in a terminal, or pass keys as lines: printf '2\\n0\\n' | assay judge ..."
            )
            raise UsageError("no grades given: standard input is empty", hint=hint)
        asked += 1
        if shown.sitting.said:
            note(shown.sitting.said)
        if key is not None:
            named = f"{shown.card.query}: {shown.card.document}"
            click.echo(f"{sanitize(named)}: {sanitize(key)}", err=True)
        return "q" if key is None else key

    return ask


def _lines() -> Iterator[str]:
    for line in sys.stdin or ():
        if line.strip():
            yield line.strip()


@contextmanager
def _cleared(screen: TextIO) -> Iterator[None]:
    """Draw on a page of its own, where the terminal has one, and give it back."""
    try:
        screen.write("" if _is_plain() else "\x1b[?1049h")
        yield
    finally:
        screen.write("" if _is_plain() else "\x1b[?1049l")
        screen.flush()


def _is_plain() -> bool:
    """Tell whether the terminal knows no commands."""
    return os.environ.get("TERM", "dumb") in ("", "dumb")


def _tell(result: "JudgingResult", benchmark: str, *, json_: bool, url: str | None) -> None:
    from assay.reports.judging.summary import summary

    if json_:
        click.echo(as_json(_value(result)))
        return
    if result.report:
        note(f"graded for {result.report}")
    for line in summary(result):
        click.echo(wrap(line, out=True))
    both = {"": result.agreement} if result.agreement else result.agreements
    for name, agreement in both.items():
        _tell_agreement(name, agreement)
    if result.graded and url is not None:
        _tell_stored(result)
    elif result.graded:
        _tell_where(result, benchmark, counted=not (both or result.is_own))


def _tell_agreement(name: str, agreement: "Agreement") -> None:
    from assay.reports.judging.agreement_tables import agreement_tables
    from assay.reports.terminal import terminal

    for title, table in agreement_tables(agreement):
        click.echo(f"\n{wrap(f'{name}, {title}' if name else title, out=True)}")
        if table:
            terminal(table)


def _value(result: "JudgingResult") -> dict[str, Any]:
    """Return the result for programs."""
    from assay.reports.judging.agreement_tables import agreement_value
    from assay.reports.judging.summary import as_value

    told = agreement_value(result.agreement) if result.agreement else {}
    each = {name: agreement_value(one)["agreement"] for name, one in result.agreements.items()}
    of = {"report": result.report} if result.report else {}
    return of | as_value(result) | told | ({"agreements": each} if each else {})


def _tell_where(result: "JudgingResult", benchmark: str, *, counted: bool) -> None:
    """Name what was written, and how it is counted where it is not yet."""
    written = [*result.outputs.values()] or [result.output]
    some = written if len(written) <= NAMED else [f"{len(written):,} files in {result.output}"]
    click.echo(f"wrote {sanitize(', '.join(some))}", err=True)
    if counted:
        command = f"assay run {quote(benchmark)} --dataset {quote(result.output)}"
        note(f"run `{command}` to score with these grades")


def _tell_stored(result: "JudgingResult") -> None:
    """Name where the grades are in a service, which changes no dataset by itself."""
    addresses = [*result.outputs.values()] or [result.output]
    for address in addresses:
        click.echo(f"stored in {sanitize(address)}", err=True)
    dataset = addresses[0] if len(addresses) == 1 else "/api/v1/datasets/ID/judgments"
    grades = f"{dataset.removesuffix('/judgments')}/grades"
    note(f"to count these grades, change them in the dataset (PATCH {grades})")


def _tell_next(result: "JudgingResult", benchmark: str, first: str) -> None:
    """Say what two judges do with what they graded."""
    from assay.reports.judging.after_second import after_second

    told = after_second(result, benchmark=benchmark, first=first)
    click.echo(f"\n{wrap(f'Next: {told}', out=True)}")
