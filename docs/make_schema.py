"""Write docs/benchmark.schema.json from the settings of the program.

Run ``python -m docs.make_schema`` after changing a setting or a key; a test compares.
"""

import json
from pathlib import Path

from assay.benchmarks.file.schema import benchmark_schema

__all__ = ["FILE", "main", "text"]

FILE = Path(__file__).parent / "benchmark.schema.json"


def main() -> None:
    """Write the schema."""
    FILE.write_text(text(), encoding="utf-8")


def text() -> str:
    """Return the schema as it stands in the file."""
    return f"{json.dumps(benchmark_schema(), indent=2)}\n"


if __name__ == "__main__":
    main()
