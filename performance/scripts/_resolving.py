"""Documents of a large corpus, made one at a time, and a dataset that refers to them."""

import random
from collections.abc import Iterator

from assay.records import Dataset, Document, Judgment, Query, Reference

__all__ = ["dataset", "documents", "path_of"]

WORDS = ("parse", "load", "save", "merge", "index", "score", "query", "token", "chunk", "graph")


def path_of(number: int) -> str:
    """Name a file as in a large repository: some 50 files in a folder, four levels deep."""
    folder, word = number // 50, WORDS[number % len(WORDS)]
    return f"src/area{folder // 400}/team{folder // 20}/unit{folder}/{word}_{number}.py"


def documents(number: int) -> Iterator[Document]:
    """Yield documents that nobody keeps."""
    for at in range(number):
        path = path_of(at)
        yield Document(path, path=path, file_name=path[path.rfind("/") + 1 :])


def dataset(case: str, queries: int, references: int, corpus: int) -> Dataset:
    """Let each query refer to documents drawn at random, by the kind of key that is measured."""
    draw = random.Random(17)
    numbers = draw.choices(range(corpus), k=queries * references)
    judged = [Judgment(_reference(case, number, at), 1) for at, number in enumerate(numbers)]
    return Dataset(
        case,
        tuple(
            Query(f"q{at}", "", tuple(judged[at * references : (at + 1) * references]))
            for at in range(queries)
        ),
    )


def _reference(case: str, number: int, at: int) -> Reference:
    path = path_of(number)
    if case == "missing" and at % 10 == 0:
        return Reference(path=path.replace(".py", "s.py"))
    if case == "file_name":
        return Reference(file_name=path[path.rfind("/") + 1 :])
    if case == "substring":
        return Reference(path=path[path.index("unit") :], match="substring")
    return Reference(path=path)
