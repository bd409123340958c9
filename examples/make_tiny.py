"""Make the small files of the README: 60 queries, a baseline and two candidates, from one seed.

They are made up: each document has a true worth for each query, judges grade most of what the runs
show, and each run ranks by that worth and a noise of its own.
"""

from pathlib import Path
from random import Random

FOLDER = Path(__file__).parent / "tiny"
NOISE = {"bm25": 1.0, "hybrid": 0.62, "dense": 0.95}
QUERIES, DOCUMENTS, DEPTH, POOLED = 60, 40, 20, 12


def main() -> None:
    """Write qrels.txt and a run for each search."""
    draw = Random(11)
    FOLDER.mkdir(exist_ok=True)
    runs: dict[str, list[str]] = {name: [] for name in NOISE}
    judgments = []
    for number in range(1, QUERIES + 1):
        worth = {f"d{i:02}": draw.gauss(0, 1) for i in range(1, DOCUMENTS + 1)}
        judged: set[str] = set()
        for name, noise in NOISE.items():
            scores = {document: value + draw.gauss(0, noise) for document, value in worth.items()}
            best = sorted(scores, key=lambda document: -scores[document])[:DEPTH]
            judged.update(best[:POOLED])
            for rank, document in enumerate(best, 1):
                runs[name].append(f"q{number} Q0 {document} {rank} {scores[document]:.4f} {name}\n")
        for document in sorted(judged):
            grade = sum(worth[document] > limit for limit in (0.9, 1.4, 1.9))
            judgments.append(f"q{number} 0 {document} {grade}\n")
    (FOLDER / "qrels.txt").write_text("".join(judgments), encoding="utf-8")
    for name, lines in runs.items():
        (FOLDER / f"{name}.run").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
