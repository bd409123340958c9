"""A folder with model.onnx and tokenizer.json -> both opened, and the hashes of their files."""

import os
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.models.inference.assets import sha256_of
from assay.models.inference.session import Session
from assay.models.inference.windows import tokenizer_of

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["open_folder"]

HINT = "name a folder with model.onnx and tokenizer.json"


def open_folder(path: str) -> tuple[Session, "Tokenizer", list[str]]:
    """Open the files of a folder; weights may stand in files of their own beside model.onnx."""
    folder = Path(path).expanduser()
    if not os.path.isdir(folder):  # noqa: PTH112 - a word that can be no path is none, either
        raise InputError("there is no such folder", where=str(folder)[:200], hint=HINT)
    for name in ("model.onnx", "tokenizer.json"):
        if not (folder / name).is_file():
            raise InputError(f"has no {name}", where=str(folder), hint=HINT)
    tokens = folder / "tokenizer.json"
    tokenizer = tokenizer_of(tokens.read_bytes(), where=str(tokens))
    session = Session(folder / "model.onnx", where=str(folder / "model.onnx"))
    return session, tokenizer, [sha256_of(name) for name in [*_weights(folder), tokens]]


def _weights(folder: Path) -> list[Path]:
    """Find the model's files: it names those with weights of its own as it likes."""
    beside = sorted(path for path in folder.rglob("*") if path.is_file())
    graph = folder / "model.onnx"
    with graph.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return [graph, *(path for path in beside if content.find(os.fsencode(path.name)) >= 0)]
