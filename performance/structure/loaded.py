"""How many of our modules a fresh process has loaded after importing one, or opening a dataset."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["loaded_by_dataset", "loaded_by_import"]

COUNT = "print(sum(name.partition('.')[0] == 'assay' for name in sys.modules))"


def loaded_by_import(root: Path, module: str) -> int:
    """Count the modules of the tree that importing one of them loads."""
    return _counted(root, f"import {module}")


def loaded_by_dataset(root: Path) -> int:
    """Count the modules of the tree that opening a small dataset from Python loads."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.jsonl"
        path.write_text('{"query": "a question", "relevant": ["answer.md"]}\n', encoding="utf-8")
        return _counted(root, f"import assay; assay.load_dataset({str(path)!r})")


def _counted(root: Path, statement: str) -> int:
    command = [sys.executable, "-c", f"import sys; {statement}; {COUNT}"]
    environment = {**os.environ, "PYTHONPATH": str(root.parent)}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return int(done.stdout.splitlines()[-1])
