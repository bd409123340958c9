"""Where results go: stdout for data, stderr for notes, files by extension."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.terminal.text_file import TEXT, is_text, write_texts
from assay.columns.files.refuse_place import refuse_place
from assay.errors import InputError
from assay.text import json_sanitized, sanitize, truncate
from assay.text.count_noun import count_noun
from assay.text.wrap import wrap_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.records import Evaluation, Table
import os
import sys
from typing import TextIO

from assay.text import trusted

__all__ = [
    "as_json",
    "check_outputs",
    "echo_styled",
    "explain",
    "note",
    "one_thread",
    "wrap",
    "write",
]

LEAST = 40  # columns below which nothing is gained
DEEPER = 2  # by how much further lines are indented


def one_thread() -> None:
    """Keep BLAS to one thread: starting more costs a small evaluation half of its time."""
    import os

    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def as_json(value: Any) -> str:  # noqa: ANN401
    """Print at full precision; NaN never leaves the program.

    What would control a terminal is escaped, as JSON may escape any character.
    """
    return json_sanitized(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def note(text: str) -> None:
    """Say something to the person, not to the program that reads stdout."""
    click.echo(wrap(f"note: {truncate(text)}", indent=len("note: ")), err=True)


def explain(results: "Sequence[Evaluation]", *, missing: str, no_relevant: str = "zero") -> None:
    """Say in words what the tables only count."""
    for text in dict.fromkeys(text for result in results for text in result.notes):
        note(text)
    _explain_weights(results[0])
    for result in results:
        if result.missing_queries:
            what = "scored 0" if missing == "zero" else "skipped"
            number = count_noun(result.missing_queries, "judged query")
            note(f"{result.run}: no results for {number}: {what}")
        if result.unknown_queries:
            number = count_noun(result.unknown_queries, "query")
            note(f"{result.run}: ignored {number} without judgments")
    if results[0].without_relevant:
        what = "scored 0" if no_relevant == "zero" else "skipped"
        number = count_noun(results[0].without_relevant, "judged query")
        note(f"{number} without a relevant document: {what}")
    _explain_ties(results)


def _explain_weights(result: "Evaluation") -> None:
    """Say that queries do not count the same, and how few of them that makes."""
    if result.weights is not None:
        from assay.records.traffic import effective_queries

        effective = effective_queries(result.weights.tolist())
        number = count_noun(len(result.queries), "query")
        note(f"means are weighted by the queries' weights: {number}, effectively {effective:.1f}")


def _explain_ties(results: "Sequence[Evaluation]") -> None:
    tied = [f"{result.run} {result.tied:,}" for result in results if result.tied]
    rule = {"docid": "by document id, descending", "order": "in file order"}
    how = rule.get(results[0].ties, "as the mean over all orders")
    if tied:
        note(f"tied scores, resolved {how}: {', '.join(tied)}")


def check_outputs(paths: "Sequence[str]") -> None:
    """Refuse a file that could not be written before anything is computed for it."""
    if not paths:
        return
    from assay import catalogue
    from assay.extras import require_extra
    from assay.reports import formats

    known = ["json", *catalogue.files(formats), TEXT]
    for path in paths:
        extension = _extension(path)
        if extension not in known:
            hint = f"the extension selects the format: {', '.join(known)}"
            problem = f'unknown format "{extension}"' if extension else "has no extension"
            raise InputError(problem, where=path, hint=hint)
        if extension == "parquet":
            require_extra("frames", "a parquet file needs the package polars", where=path)
        refuse_place(path)
    twice = [path for path in paths if list(paths).count(path) > 1]
    if twice:
        raise InputError("output file given twice", where=twice[0], hint="give it once")


def write(
    paths: "Sequence[str]",
    tables: "Callable[[str], list[Table]]",
    value: "Callable[[], Any]",
    *,
    show: "Callable[[], None]",
) -> None:
    """Write each file in the format of its extension, which ``tables`` takes.

    ``show`` prints what a text file holds.
    """
    from assay.columns.files.atomic_write import atomic_write

    for path in paths:
        if is_text(path):
            write_texts([path], show, wrote=_wrote)
            continue
        extension = _extension(path)
        if extension == "json":
            content = as_json(value()).encode() + b"\n"
        else:
            content = _render(extension, tables)
        with atomic_write(path) as new:
            new.write_bytes(content)
        _wrote(path)


def _wrote(path: str) -> None:
    click.echo(sanitize(f"wrote {path}"), err=True)


def _extension(path: str) -> str:
    return Path(path).suffix.lower().removeprefix(".")


def _render(extension: str, tables: "Callable[[str], list[Table]]") -> bytes:
    from assay import catalogue
    from assay.reports import formats

    render: Callable[[list[Table]], bytes] = catalogue.find(formats, extension)  # type: ignore[assignment]
    return render(tables(extension))


def wrap(text: str, *, indent: int = DEEPER, out: bool = False, lines: bool = False) -> str:
    """Break a line at the width of the terminal that shows stderr, if one does.

    ``out`` is for what goes to stdout, ``lines`` for text that we laid out in several lines: else a
    line break came with somebody's data, and is spelled out. Further lines of a line are indented
    by ``indent`` more than it. A long word, such as a path, and a command in backticks stay whole:
    they can be copied.
    """
    text = sanitize(text, keep="\n" if lines else "")
    width = _width(sys.stdout if out else sys.stderr)
    if not width:
        return text
    return "\n".join(wrap_line(line, max(width, LEAST), indent=indent) for line in text.split("\n"))


def _width(stream: TextIO) -> int:
    """Return the columns of the terminal; 0 if the stream is not one."""
    if not stream.isatty():
        return 0
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # a page that is laid out for a terminal
        return int(os.environ.get("COLUMNS") or 0)


def echo_styled(*pieces: str | tuple[str, dict[str, Any]]) -> None:
    """Print pieces of one line, each as it is or with the style beside it (as of click)."""
    line = [sanitize(one) if isinstance(one, str) else _styled(*one) for one in pieces]
    click.echo("".join(line), file=trusted(sys.stdout))


def _styled(text: str, style: dict[str, Any]) -> str:
    return click.style(sanitize(text), **style) if text else ""
