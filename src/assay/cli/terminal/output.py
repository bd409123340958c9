"""Where results go: stdout for data, stderr for notes, files by extension."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.terminal.wrapped import wrapped
from assay.errors import InputError
from assay.text import json_sanitized, sanitize, truncate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from assay.records import Evaluation, Table

__all__ = ["as_json", "check_outputs", "count", "explain", "note", "one_thread", "write"]


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
    click.echo(wrapped(f"note: {truncate(text)}", indent=len("note: ")), err=True)


def count(number: int, noun: str) -> str:
    """Put a number before its noun.

    >>> count(1, "query"), count(2, "query"), count(1200, "tie")
    ('1 query', '2 queries', '1,200 ties')
    """
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else many}"


def explain(results: "Sequence[Evaluation]", *, missing: str, no_relevant: str = "zero") -> None:
    """Say in words what the tables only count."""
    for text in dict.fromkeys(text for result in results for text in result.notes):
        note(text)
    for result in results:
        if result.missing_queries:
            what = "scored 0" if missing == "zero" else "left out"
            number = count(result.missing_queries, "judged query")
            note(f"{result.run}: no answer to {number}: {what}")
        if result.unknown_queries:
            number = count(result.unknown_queries, "query")
            note(f"{result.run}: {number} without judgments: ignored")
    if results[0].without_relevant:
        what = "scored 0" if no_relevant == "zero" else "left out"
        note(f"nothing is relevant to {count(results[0].without_relevant, 'judged query')}: {what}")
    _explain_ties(results)


def _explain_ties(results: "Sequence[Evaluation]") -> None:
    tied = [f"{result.run} {result.tied:,}" for result in results if result.tied]
    rule = {"docid": "by document id, descending", "order": "as in the file"}
    how = rule.get(results[0].ties, "by the mean over all orders")
    if tied:
        note(f"ties between neighbours, resolved {how}: {', '.join(tied)}")


def check_outputs(paths: "Sequence[str]") -> None:
    """Refuse a file that could not be written before anything is computed for it."""
    if not paths:
        return
    from assay import catalogue
    from assay.reports import formats

    known = ["json", *catalogue.files(formats)]
    for path in paths:
        extension = _extension(path)
        if extension not in known:
            hint = f"the extension picks the format: {', '.join(known)}"
            problem = f'no format is called "{extension}"' if extension else "has no extension"
            raise InputError(problem, where=path, hint=hint)
        if Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
            raise InputError("cannot be written there", where=path, hint="check the folder")
    twice = [path for path in paths if list(paths).count(path) > 1]
    if twice:
        raise InputError("is to be written twice", where=twice[0], hint="name it once")


def write(
    paths: "Sequence[str]",
    tables: "Callable[[str], list[Table]]",
    value: "Callable[[], Any]",
    *,
    pages: "Mapping[str, Callable[[], bytes]] | None" = None,
) -> None:
    """Write each file in the format of its extension; ``tables`` is told the extension.

    ``pages`` are whole files, by the extension whose tables alone would say too little.
    """
    from assay.columns.files.atomic_write import aside

    for path in paths:
        extension = _extension(path)
        if extension == "json":
            content = as_json(value()).encode() + b"\n"
        elif pages and extension in pages:
            content = pages[extension]()
        else:
            content = _render(extension, tables)
        with aside(path) as new:
            new.write_bytes(content)
        click.echo(sanitize(f"wrote {path}"), err=True)


def _extension(path: str) -> str:
    return Path(path).suffix.lower().removeprefix(".")


def _render(extension: str, tables: "Callable[[str], list[Table]]") -> bytes:
    from assay import catalogue
    from assay.reports import formats

    render: Callable[[list[Table]], bytes] = catalogue.find(formats, extension)  # type: ignore[assignment]
    return render(tables(extension))
