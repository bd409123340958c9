"""Opening tantivy's files: what is needed before anything can be added or found."""

from pathlib import Path
from typing import TYPE_CHECKING

from assay.engines.lexical._fields import FIELDS
from assay.engines.lexical._write_failure import is_full, write_failure
from assay.engines.words.check_tantivy import check_tantivy
from assay.errors import InputError

if TYPE_CHECKING:
    from tantivy import Index, IndexWriter

__all__ = ["open_index", "open_writer"]


def open_index(folder: Path) -> "Index":
    """Open the index in a folder, or create it; it sees what is committed when it is asked to."""
    check_tantivy()
    from tantivy import Index, SchemaBuilder

    schema = SchemaBuilder()
    for field in FIELDS:
        schema.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    schema.add_integer_field("row", indexed=True, fast=True)
    try:
        index = Index(schema.build(), path=str(folder))
    except (ValueError, OSError) as error:
        if is_full(error):
            raise write_failure(folder, error) from error
        problem = f"tantivy cannot open the index ({error})"
        hint = "delete the folder and build the index again"
        raise InputError(problem, where=str(folder), hint=hint) from error
    # The other policy starts a thread that looks for changes twice a second.
    index.config_reader("manual")
    return index


def open_writer(index: "Index", folder: Path, heap_bytes: int) -> "IndexWriter":
    """Open the one writer that a folder may have; one thread, so that builds are equal.

    The operating system holds the lock, and drops it when the process ends in any way.
    """
    for lock in folder.glob(".tantivy-*.lock"):
        if lock.stat().st_nlink > 1:  # linked from another folder, whose writer is not ours
            lock.unlink()
    try:
        return index.writer(heap_bytes, 1)
    except ValueError as error:
        if "LockBusy" not in str(error):
            raise write_failure(folder, error) from error
        hint = "wait, then try again"
        problem = "another process is writing to this index"
        raise InputError(problem, where=str(folder), hint=hint) from error
