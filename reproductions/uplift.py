"""What ``assay uplift`` shows, made small: of each cell every method's score and change.

    python -m reproductions.uplift full.json -o reproductions/uplift.json

where full.json is what ``assay uplift -o full.json`` gave.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["main", "small"]

METRIC = "ndcg@10"
SETTINGS = ("queries", "documents", "dimension", "clusters", "relevant", "candidates", "k", "seed")


def small(report: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the verdict, and of each cell what every method scores and what it changes."""
    settings = {name: report["settings"][name] for name in SETTINGS}
    cells = [_cell(cell) for cell in report["cells"]]
    return {"metric": METRIC, **settings, "verdict": report["verdict"], "cells": cells}


def main(words: Sequence[str] | None = None) -> int:
    """Read the words of the command line, and write the small report."""
    parser = argparse.ArgumentParser(
        prog="python -m reproductions.uplift", description="Make uplift small."
    )
    parser.add_argument("report", type=Path, help="what assay uplift -o gave, as JSON")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a JSON file")
    asked = parser.parse_args(words)
    made = small(json.loads(asked.report.read_text(encoding="utf-8")))
    lines = ",\n".join(f"  {json.dumps(cell)}" for cell in made.pop("cells"))
    head = json.dumps(made, indent=1)[:-2]
    asked.output.write_text(f'{head},\n "cells": [\n{lines}\n ]\n}}\n', encoding="utf-8")
    return 0


def _cell(cell: Mapping[str, Any]) -> dict[str, Any]:
    methods = {name: _method(one) for name, one in cell["structure"]["methods"].items()}
    return {"noise": cell["noise"], "spread": cell["spread"], "methods": methods}


def _method(method: Mapping[str, Any]) -> dict[str, Any]:
    """Give a method's score; the cosine, which all others are held against, changes nothing."""
    found = {"score": round(method["scores"][METRIC], 6)}
    change = method["uplift"].get(METRIC)
    if change is None:
        return found
    ends = [round(end, 6) for end in change["ci"]]
    counts = {name: change[name] for name in ("wins", "ties", "losses")}
    return {**found, "difference": round(change["difference"], 6), "ci": ends, **counts}


if __name__ == "__main__":
    sys.exit(main())
