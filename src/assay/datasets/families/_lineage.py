"""What a file was called when, and since when it is there, told by the commits that touched it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.datasets.families._log import Commit

__all__ = ["Lineage", "best_start", "lineages"]


@dataclass(slots=True, eq=False)
class Lineage:
    """One file through its renames: its names, each with the commit that gave it, oldest first."""

    names: list[tuple[int, str]] = field(default_factory=list)

    @property
    def birth(self) -> int:
        """The commit that the file first appears in."""
        return self.names[0][0]

    def name_before(self, commit: int) -> str:
        """What the file was called before a commit; empty if it was not there yet."""
        return next((name for at, name in reversed(self.names) if at < commit), "")


def lineages(commits: Sequence[Commit]) -> list[list[Lineage]]:
    """Follow every file through commits, oldest first: per commit, the files of its changes."""
    current: dict[str, Lineage] = {}
    touched = []
    for at, commit in enumerate(commits):
        files = []
        for change in commit.changes:
            file = current.pop(change.before, None) or Lineage()
            if not file.names or file.names[-1][1] != change.path:
                file.names.append((at, change.path))
            current[change.path] = file
            files.append(file)
        touched.append(files)
    return touched


def best_start(births: Sequence[tuple[int, int]], commits: int, wanted: int) -> int:
    """Choose the commit before which the corpus is taken: the newest that leaves enough queries.

    ``births`` has, for each commit that could be a query, its place and that of its oldest file.
    A commit counts for every start after that file's birth and not after itself.
    """
    steps = [0] * (commits + 2)
    for at, birth in births:
        steps[birth + 1] += 1
        steps[at + 1] -= 1
    counts, running = [], 0
    for step in steps[: commits + 1]:
        running += step
        counts.append(running)
    enough = [at for at, count in enumerate(counts) if count >= wanted]
    return max(enough) if enough else max(range(len(counts)), key=lambda at: (counts[at], at))
