"""An uploaded file -> a dataset, or all that is wrong with it; nothing that it names is opened."""

import json
import re
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from assay import catalogue
from assay.datasets import formats
from assay.datasets.limits import Limits
from assay.datasets.load import load
from assay.datasets.problems import Problems
from assay.errors import InputError, ProblemsError, UnknownNameError
from assay.records import Dataset
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value
from assay.workspace.disk.folders import made

__all__ = ["read_upload"]

ANY = 1 << 30  # what readers let through: the limits of an upload are those of all formats
STEM = "upload"
GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"
PIECE = 1 << 20
OUTSIDE = ("ir_datasets",)  # formats that are names of what lies elsewhere
ENDING = re.compile(r"(?:\.[a-z][a-z_]{0,14})?\.[a-z]{1,8}")


def read_upload(
    content: BinaryIO,
    *,
    name: str,
    folder: Path,
    limits: Limits,
    format: str = "",  # noqa: A002
) -> Dataset:
    """Read a dataset that somebody sent, as `assay` reads a file; ``name`` is only for messages.

    It is written to a folder of its own below ``folder`` while it is read. ``limits`` count for
    every format, and for what a compressed file contains. The corpus that it names is left out: a
    mapping tells which one is meant.
    """
    _refuse_format(format)
    shown = _shown(name)
    with tempfile.TemporaryDirectory(dir=made(folder)) as room:
        path = Path(room) / f"{STEM}{_ending(shown)}"
        with _named(str(path), shown):
            _write(content, path, limits.size_bytes)
            free = Limits(limits.size_bytes, queries=ANY, judgments=ANY)
            found = load(path, format=format or None, limits=free)
        notes = tuple(note.replace(str(path), shown) for note in found.notes)
    _refuse_excess(found, limits, shown)
    _refuse_halves(found, shown)
    if found.corpus:
        note = "the corpus named in the file is ignored: map the dataset onto a corpus"
        notes = (*notes, note)
    own = _stem(shown) if found.name == STEM else found.name
    return replace(found, name=own, notes=notes, home="", corpus={})


def _refuse_format(name: str) -> None:
    """Refuse an unknown format before anything is looked for under its name."""
    known = [one for one in catalogue.names(formats) if one not in OUTSIDE]
    if name and name not in known:
        hint = did_you_mean(name, known, otherwise=f"available: {', '.join(known)}")
        raise UnknownNameError(f"unknown dataset format {quote_value(name, 40)}", hint=hint)


def _shown(name: str) -> str:
    """Return the last part of the name that a browser sent, without what nobody can read."""
    last = re.split(r"[/\\]", name)[-1]
    return "".join(one for one in last if one.isprintable()).strip()[:80] or STEM


def _stem(shown: str) -> str:
    return shown.partition(".")[0].strip() or STEM


def _ending(shown: str) -> str:
    """Return the ending, by which some formats are recognised; never anything else of the name."""
    bare = shown.lower().removesuffix(".gz")
    found = ENDING.search(bare, bare.find(".")) if "." in bare else None
    return found[0] if found and bare.endswith(found[0]) else ""


def _write(content: BinaryIO, path: Path, most: int) -> None:
    """Write the file, decompressed; a small one may hold petabytes."""
    size = 0
    with path.open("xb") as file:
        for piece in _pieces(content, str(path)):
            if size == 0 and piece.startswith(PARQUET):
                hint = "upload the judgments as CSV or JSON"
                raise InputError("Parquet cannot be uploaded", where=str(path), hint=hint)
            size += len(piece)
            if size > most:
                hint = "split the dataset into several files"
                raise InputError(f"is larger than {most:,} bytes", where=str(path), hint=hint)
            file.write(piece)
    if not size:
        hint = "check that the program that writes the file finished"
        raise InputError("is empty", where=str(path), hint=hint)


def _pieces(content: BinaryIO, where: str) -> Iterator[bytes]:
    """Yield the content in pieces of limited size, whatever a compressed one expands to."""
    first = content.read(PIECE)
    if not first.startswith(GZIP):
        while first:
            yield first
            first = content.read(PIECE)
        return
    unpack = zlib.decompressobj(wbits=31)
    try:
        while first or unpack.unconsumed_tail:
            piece = unpack.decompress(unpack.unconsumed_tail or first, PIECE)
            if piece:
                yield piece
            if unpack.eof:
                return  # what follows is another file, which no program reads as the same
            if not unpack.unconsumed_tail:
                first = content.read(PIECE)
    except zlib.error as error:
        hint = "compress it again, or upload it as it is"
        raise InputError(f"cannot be decompressed ({error})", where=where, hint=hint) from None
    raise InputError("the compressed file is truncated", where=where, hint="compress it again")


@contextmanager
def _named(path: str, shown: str) -> Iterator[None]:
    """Say of the file that was sent what is said of the one that was written here."""
    try:
        yield
    except ProblemsError as error:
        told = [_renamed(one, path, shown) for one in error.problems]
        about = error.about.replace(path, shown)
        raise ProblemsError(told, where=about, then=error.then, count=error.count) from None
    except InputError as error:
        raise _renamed(error, path, shown) from None


def _renamed(error: InputError, path: str, shown: str) -> InputError:
    problem, where, hint = (
        text.replace(path, shown) for text in (error.problem, error.where, error.hint)
    )
    kind = InputError if isinstance(error, ProblemsError) else type(error)
    return kind(problem, where=where, hint=hint)


def _refuse_excess(dataset: Dataset, limits: Limits, where: str) -> None:
    problems = Problems(where)
    hint = "split the dataset, or ask the administrator of the service"
    if len(dataset.queries) > limits.queries:
        problem = f"contains {len(dataset.queries):,} queries (limit: {limits.queries:,})"
        problems.add(problem, hint=hint)
    for query in dataset.queries:
        if len(query.judgments) > limits.judgments:
            problem = f"has {len(query.judgments):,} judgments (limit: {limits.judgments:,})"
            problems.add(problem, at=f"query {quote_value(query.key, 60)}", hint=hint)
    problems.refuse()


def _refuse_halves(dataset: Dataset, where: str) -> None:
    """Refuse halves of surrogate pairs, which no answer in UTF-8 can contain."""
    try:
        json.dumps(dataset, ensure_ascii=False, default=_plain).encode()
    except UnicodeEncodeError:
        hint = "write a character above U+FFFF as it is"
        raise InputError("contains half of a surrogate pair", where=where, hint=hint) from None


def _plain(value: Any) -> Any:  # noqa: ANN401
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return str(value)
