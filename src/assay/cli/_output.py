"""Where results go: stdout for data, stderr for notes, files by extension."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.errors import InputError

if TYPE_CHECKING:
    from assay.records import Table

__all__ = ["as_json", "count", "note", "one_thread", "write"]


def one_thread() -> None:
    """Keep BLAS to one thread: starting more costs a small evaluation half of its time."""
    import os

    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def as_json(value: Any) -> str:  # noqa: ANN401
    """Print at full precision; NaN never leaves the program."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)


def note(text: str) -> None:
    """Say something to the person, not to the program that reads stdout."""
    click.echo(f"note: {text}", err=True)


def count(number: int, noun: str) -> str:
    """Put a number before its noun.

    >>> count(1, "query"), count(2, "query"), count(1200, "tie")
    ('1 query', '2 queries', '1,200 ties')
    """
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else many}"


def write(
    paths: Sequence[str], tables: "Callable[[str], list[Table]]", value: Callable[[], Any]
) -> None:
    """Write each file in the format of its extension; ``tables`` is told the extension."""
    for path in paths:
        extension = Path(path).suffix.lower().removeprefix(".")
        content = (
            as_json(value()).encode() + b"\n"
            if extension == "json"
            else _render(path, extension, tables)
        )
        try:
            Path(path).write_bytes(content)
        except OSError as error:
            problem = f"cannot be written ({error.strerror})"
            raise InputError(problem, where=path, hint="check the folder") from None
        click.echo(f"wrote {path}", err=True)


def _render(path: str, extension: str, tables: "Callable[[str], list[Table]]") -> bytes:
    from assay import catalogue
    from assay.reports import formats

    known = catalogue.files(formats)
    if extension not in known:
        hint = f"the extension picks the format: {', '.join(['json', *known])}"
        raise InputError(f'no format is called "{extension}"', where=path, hint=hint)
    render: Callable[[list[Table]], bytes] = catalogue.find(formats, extension)  # type: ignore[assignment]
    return render(tables(extension))
