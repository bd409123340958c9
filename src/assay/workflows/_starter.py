"""What was found in a folder -> the text of a benchmark file for it, with a reason per line."""

import json
from dataclasses import dataclass
from pathlib import Path

from assay.workflows._nearby import Searched

__all__ = ["Found", "starter"]

MANY = 3_000  # documents from which on the better model takes its time
MADE = "made"


@dataclass(frozen=True, slots=True)
class Found:
    """What a benchmark can be made of; paths are relative to the file."""

    folder: Path
    dataset: str = ""
    queries: int = 0
    corpus: str = ""
    exclude: tuple[str, ...] = ()
    searched: Searched | None = None
    own_documents: int = 0
    holds_corpus: bool = False
    resolved: float = 1.0

    def next(self, file: str, folder: str) -> str:
        """Say what to do now."""
        if self.dataset and (self.holds_corpus or self.searched):
            return f"assay run {_quoted(file)}"
        if self.dataset:
            return f"name the corpus in {file}, then: assay run {_quoted(file)}"
        return f"{self.make(folder)}, then take the # from dataset in {file}"

    def make(self, folder: str) -> str:
        """Say how a dataset is made here."""
        out = Path(folder) / MADE
        if (self.folder / ".git").exists() and self.searched:
            corpus = f" --corpus {_quoted(folder)}"
            return f"assay dataset make git-history{corpus} -o {_quoted(out)}"
        if self.searched and self.searched.is_code:
            return f"assay dataset make repoeval --corpus {_quoted(folder)} -o {_quoted(out)}"
        return f"assay dataset make semantic-similarity -o {_quoted(out)}"


def starter(found: Found, *, file: str) -> str:
    """Write the file."""
    lines = [
        f"# Which search to ship for {_plain(found.folder.name)}, and how sure we are.",
        f"# Run it here: assay run {_plain(_quoted(Path(file).name))}",
        "# With --plan it says what that costs, and does nothing.",
        f"name: {_text(found.folder.name or 'benchmark')}",
        "",
        *_dataset(found),
        *_corpus(found),
        "",
        "# What is measured; the primary metric decides.",
        "metrics: [ndcg@10, mrr@10, recall@5, recall@10, ap]",
        "primary: ndcg@10",
        "",
        "# The configuration that the others must beat, and the most that one may cost.",
        "baseline: words",
        "# budgets: {latency_p95_ms: 50, bytes_per_document: 10000}",
        "",
        *_configurations(found),
    ]
    return "\n".join(lines) + "\n"


def _dataset(found: Found) -> list[str]:
    if found.dataset:
        many = f"{found.queries:,} quer{'y' if found.queries == 1 else 'ies'}"
        return [f"# {many} with judgments.", f"dataset: {_text(found.dataset)}"]
    made = found.make(".")
    return [
        "# Queries with judgments: none were found here. Write some, each with the files that",
        "# answer it (`assay list formats` shows in which formats), or make some:",
        f"#   {made}",
        f"# dataset: {MADE}",
    ]


def _corpus(found: Found) -> list[str]:
    if found.holds_corpus:
        return [
            "# The dataset has its own documents; another corpus can be named here.",
            "# corpus: .",
        ]
    if found.searched is None:
        return [
            "# What is searched: no documents were found here. Name their folder.",
            "# corpus: docs",
        ]
    parts = {"path": found.corpus or ".", "include": [*found.searched.include]}
    parts |= {"exclude": [*found.exclude]} if found.exclude else {}
    kind = "programs" if found.searched.is_code else "pages"
    lost = [
        f"# Only {found.resolved:.0%} of the judged documents are in it: is it the right folder?"
    ]
    shown = ", ".join(f"{key}: {_text(value)}" for key, value in parts.items())
    return [
        f"# What is searched: {found.searched.documents:,} {kind}.",
        *(lost if found.dataset and found.resolved < 0.9 else []),
        f"{'' if found.dataset else '# '}corpus: {{{shown}}}",
    ]


def _configurations(found: Found) -> list[str]:
    """Choose what fits: how code or prose is cut, and a model that is done in minutes."""
    number = found.searched.documents if found.searched else found.own_documents
    model = "static" if number > MANY else "minilm"
    code = found.searched is not None and found.searched.is_code
    chunker = "code" if code else "text"
    why = "programs between their parts" if code else "pages between sections and paragraphs"
    return [
        "# What is tried. Lists multiply: the last line is two configurations.",
        "configurations:",
        "  - {name: words, search: lexical}",
        f"  # A model of meaning beside the words ({_model(model)}).",
        f"  - {{name: both, search: hybrid, model: {model}}}",
        f"  # Cut {why}, in smaller and larger chunks (in tokens).",
        f"  - {{name: chunks, search: hybrid, model: {model}, chunker: {chunker}, "
        "chunk_size: [128, 384]}",
    ]


def _model(name: str) -> str:
    if name == "static":
        return "static is fast; minilm finds more and takes minutes here"
    return "static is faster and finds less"


def _text(value: object) -> str:
    """Write a value so that YAML reads the same: JSON is YAML, and a plain word needs no quotes."""
    plain = isinstance(value, str) and value.replace("/", "").replace("_", "").isalpha()
    safe = plain and str(value).isascii() and str(value).lower() not in RESERVED
    shown = json.dumps(value, ensure_ascii=False)
    return str(value) if safe else shown if shown.isprintable() else json.dumps(value)


RESERVED = ("null", "true", "false", "yes", "no", "on", "off", "y", "n")


def _plain(name: str) -> str:
    return "".join(letter for letter in name if letter.isprintable()) or "this folder"


def _quoted(path: object) -> str:
    import shlex

    return shlex.quote(str(path))
