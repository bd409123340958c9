"""Write texts as a JSON list: python make_texts.py prose|code COUNT DATA FILE."""

import json
import sys
import sysconfig
from itertools import islice
from pathlib import Path

LINES = 30  # of a piece of code


def prose(data: Path) -> list[str]:
    """Read the documents of Cranfield."""
    with (data / "cranfield" / "corpus.jsonl").open(encoding="utf-8") as file:
        return [text for line in file if (text := json.loads(line)["text"].strip())]


def code() -> list[str]:
    """Take one piece from the middle of each module of the standard library."""
    pieces = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        middle = len(lines) // 2
        pieces += ["".join(lines[start : start + LINES]) for start in (middle, middle // 2)]
    return [piece for piece in pieces if piece.strip()]


_, kind, count, data, target = sys.argv
texts = prose(Path(data)) if kind == "prose" else code()
Path(target).write_text(json.dumps(list(islice(texts, int(count)))), encoding="utf-8")
