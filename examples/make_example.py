"""Make three real runs over the standard library: find a function by the sentence it opens with.

A document is the source of a function without its docstring; a query is the first sentence of the
docstring. The function itself is highly relevant (3), others of the same name are marginal (1), and
all else in the first ten of a search is not relevant (0), so that no judgment is missing there.
Three searches answer: words as they stand, the parts of identifiers, and words without a weight for
rare ones.
"""

import ast
import math
import re
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

MODULES = (
    "argparse ast bdb calendar cmd codecs collections/__init__ configparser contextlib copy csv "
    "dataclasses datetime difflib dis doctest email/message fileinput fractions functools gettext "
    "glob gzip heapq imaplib inspect ipaddress json/__init__ json/decoder json/encoder linecache "
    "locale logging/__init__ mailbox mimetypes nntplib ntpath numbers optparse pathlib pickletools "
    "plistlib poplib posixpath pprint pydoc random shelve shlex shutil smtplib socket statistics "
    "string subprocess tarfile tempfile textwrap threading tokenize trace traceback turtle typing "
    "unittest/case unittest/mock uuid warnings weakref xml/dom/minidom zipfile"
)
DEPTH = 50  # documents that a run holds for each query
POOLED = 10  # of them judged
COMMON = 5  # a name that more functions share says nothing
Tokenise = Callable[[str], list[str]]


def main() -> None:
    """Write examples/data: judgments and three runs."""
    folder = Path(__file__).parent / "data"
    folder.mkdir(exist_ok=True)
    functions = list(_functions())
    documents = {name: source for name, source, _ in functions}
    queries = {f"q{i}": (name, text) for i, (name, _, text) in enumerate(functions, 1) if text}
    pool: dict[str, set[str]] = {query: set() for query in queries}
    searches = {"words": (_words, True), "parts": (_parts, True), "counts": (_words, False)}
    for name, (tokenise, weighted) in searches.items():
        search = _Bm25(documents, tokenise, weighted=weighted)
        with (folder / f"{name}.run").open("w", encoding="utf-8") as run:
            for query, (_, text) in queries.items():
                hits = search(text)
                pool[query].update(document for document, _ in hits[:POOLED])
                for rank, (document, score) in enumerate(hits, 1):
                    run.write(f"{query} Q0 {document} {rank} {score:.6f} {name}\n")
    _write_judgments(folder / "qrels.txt", queries, list(documents), pool)
    print(f"examples/data: {len(documents)} functions, {len(queries)} queries, 3 runs")


def _functions() -> Iterator[tuple[str, str, str]]:
    """Yield name, source without docstring, and first sentence of each function."""
    library = Path(sysconfig.get_paths()["stdlib"])
    for module in MODULES.split():
        path = library / f"{module}.py"
        if not path.exists():  # a few modules left the library in later versions
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node, owner in _definitions(tree):
            summary = (ast.get_docstring(node) or "").partition("\n")[0].strip()
            body = node.body[1:] if summary else node.body
            source = f"{node.name} {' '.join(a.arg for a in node.args.args)} "
            source += " ".join(ast.unparse(statement) for statement in body)
            text = summary if len(summary.split()) >= 4 else ""
            yield f"{module.replace('/', '.')}:{owner}{node.name}:{node.lineno}", source, text


def _definitions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node, ""
        if isinstance(node, ast.ClassDef):
            yield from ((n, f"{node.name}.") for n in node.body if isinstance(n, ast.FunctionDef))


def _write_judgments(
    path: Path,
    queries: dict[str, tuple[str, str]],
    documents: list[str],
    pool: dict[str, set[str]],
) -> None:
    named: dict[str, list[str]] = {}
    for document in documents:
        named.setdefault(_last(document), []).append(document)
    lines = []
    for query, (gold, _) in queries.items():
        grades = dict.fromkeys(sorted(pool[query]), 0)
        alike = named[_last(gold)]
        grades |= dict.fromkeys(alike if len(alike) <= COMMON else [], 1) | {gold: 3}
        lines += [f"{query} 0 {document} {grade}\n" for document, grade in grades.items()]
    path.write_text("".join(lines), encoding="utf-8")


def _last(document: str) -> str:
    return document.split(":")[1].rpartition(".")[2]


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z_]\w+", text.lower())


def _parts(text: str) -> list[str]:
    """Split identifiers at underscores and capitals, and cut plain endings."""
    pieces = re.findall(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}", text)
    return [re.sub(r"(ing|ed|es|s)$", "", piece.lower()) for piece in pieces]


class _Bm25:
    """BM25 (k1 1.2, b 0.75), or the same without any weight for rare words."""

    def __init__(self, documents: dict[str, str], tokenise: Tokenise, *, weighted: bool) -> None:
        self.tokenise, self.weighted = tokenise, weighted
        self.names = list(documents)
        counts = [Counter(tokenise(text)) for text in documents.values()]
        self.lengths = [sum(count.values()) for count in counts]
        self.mean = sum(self.lengths) / len(self.lengths)
        self.postings: dict[str, list[tuple[int, int]]] = {}
        for at, count in enumerate(counts):
            for word, times in count.items():
                self.postings.setdefault(word, []).append((at, times))

    def __call__(self, query: str) -> list[tuple[str, float]]:
        scores: dict[int, float] = {}
        for word in dict.fromkeys(self.tokenise(query)):
            found = self.postings.get(word, [])
            rare = math.log(1 + (len(self.names) - len(found) + 0.5) / (len(found) + 0.5))
            for at, times in found:
                length = 0.25 + 0.75 * self.lengths[at] / self.mean
                weight = times * 2.2 / (times + 1.2 * length)
                scores[at] = scores.get(at, 0.0) + weight * (rare if self.weighted else 1.0)
        found = [(round(score, 6), self.names[at]) for at, score in scores.items()]
        return [(name, score) for score, name in sorted(found, reverse=True)[:DEPTH]]


if __name__ == "__main__":
    main()
