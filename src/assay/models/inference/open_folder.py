"""A folder with model.onnx and tokenizer.json -> both opened, and the hashes of their files."""

import os
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.models.inference.assets import sha256_of
from assay.models.inference.session import Session
from assay.models.inference.windows import tokenizer_of
from assay.models.model_hint import FOLDER

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["open_folder"]


def open_folder(path: str, *, device: str = "cpu") -> tuple[Session, "Tokenizer", list[str]]:
    """Open the files of a folder; weights may be in separate files next to model.onnx."""
    folder = Path(path).expanduser()
    if not os.path.isdir(folder):  # noqa: PTH112 - a word that can be no path is none, either
        raise InputError("folder not found", where=str(folder)[:200], hint=FOLDER)
    for name in ("model.onnx", "tokenizer.json"):
        if not (folder / name).is_file():
            raise InputError(f"contains no {name}", where=str(folder), hint=FOLDER)
    tokens = folder / "tokenizer.json"
    tokenizer = tokenizer_of(tokens.read_bytes(), where=str(tokens))
    session = Session(folder / "model.onnx", device=device, where=str(folder / "model.onnx"))
    return session, tokenizer, [sha256_of(name) for name in [*_weights(folder), tokens]]


def _weights(folder: Path) -> list[Path]:
    """Find the model's files: it names those with weights of its own as it likes."""
    beside = sorted(path for path in folder.rglob("*") if path.is_file())
    graph = folder / "model.onnx"
    with graph.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return [graph, *(path for path in beside if content.find(os.fsencode(path.name)) >= 0)]
