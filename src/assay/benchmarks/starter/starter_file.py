"""What was found in a folder -> the text of a benchmark file for it, with a reason per line."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.benchmarks.starter.candidates import CorpusFiles
from assay.benchmarks.starter.corpus_folder import CorpusFolder
from assay.text.count_noun import count_noun
from assay.text.wrap import wrap_line

__all__ = ["Project", "starter_file"]

MANY = 3_000  # documents from which on the better model takes its time
MADE = "made"
WIDTH = 80
NOWHERE = CorpusFolder()
ENOUGH = 0.9  # of the references, below which one may wonder


@dataclass(frozen=True, slots=True)
class Project:
    """What a benchmark can be made of; paths are relative to the file."""

    folder: Path
    dataset: str = ""
    queries: int = 0
    others: tuple[tuple[str, int], ...] = ()
    corpus: str = ""
    place: CorpusFolder = NOWHERE
    own_documents: int = 0
    holds_corpus: bool = False

    @property
    def searched(self) -> CorpusFiles | None:
        """Return what is searched."""
        return self.place.searched

    @property
    def others_told(self) -> tuple[str, ...]:
        """Name further datasets."""
        return tuple(f"{name} ({count_noun(number, 'query')})" for name, number in self.others)

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


def starter_file(found: Project, *, file: str) -> str:
    """Write the file."""
    lines = [
        *_comment(f"Which search to ship for {_plain(found.folder.name)}, and how sure we are."),
        *_comment(f"Run it here: assay run {_plain(_quoted(Path(file).name))}"),
        *_comment("With --plan it says what that costs, and does nothing."),
        f"name: {_text(found.folder.name or 'benchmark')}",
        "",
        *_dataset(found),
        *_corpus(found),
        "",
        "# What is measured; the primary metric decides.",
        "metrics: [ndcg@10, mrr@10, recall@5, recall@10, ap]",
        "primary: ndcg@10",
        "",
        *_comment("The configuration that the others must beat, and the most that one may cost."),
        "baseline: words",
        "# budgets: {latency_p95_ms: 50, bytes_per_document: 10000}",
        "",
        *_configurations(found),
    ]
    return "\n".join(lines) + "\n"


def _dataset(found: Project) -> list[str]:
    if found.dataset:
        also = [f"Also here: {_plain(', '.join(found.others_told))}."] if found.others else []
        names = [found.dataset, *(name for name, _ in found.others)]
        also += [f"To ask all: datasets: {_plain(_text(names))}"] if found.others else []
        return [
            *_comment(f"{count_noun(found.queries, 'query')} with judgments."),
            *(line for text in also for line in _comment(text)),
            f"dataset: {_text(found.dataset)}",
        ]
    none = "Queries with judgments: none were found here. Write some, each with the files that "
    none += "answer it (`assay list formats` shows in which formats), or make some:"
    return [*_comment(none), f"#   {found.make('.')}", f"# dataset: {MADE}"]


def _corpus(found: Project) -> list[str]:
    if found.holds_corpus:
        told = "The dataset has its own documents; another corpus can be named here."
        return [*_comment(told), "# corpus: ."]
    if found.searched is None:
        told = "What is searched: no documents were found here. Name their folder."
        return [*_comment(told), "# corpus: docs"]
    place, start = found.place, "" if found.dataset else "# "
    parts: dict[str, object] = {"path": found.corpus or ".", "include": [*found.searched.include]}
    parts |= {"exclude": [*place.exclude]} if place.exclude else {}
    whole = ", ".join(f"{key}: {_text(value)}" for key, value in parts.items())
    short = len(whole) + len(f"{start}corpus: {{}}") <= WIDTH
    lines = [f"corpus: {{{whole}}}"] if short else ["corpus:", *_block(parts)]
    about = [line for text in _about_corpus(found) for line in _comment(text)]
    return [*about, *(f"{start}{line}" for line in lines)]


def _block(parts: Mapping[str, object]) -> Iterator[str]:
    """Write a line for each value: patterns with the names of folders are long."""
    for key, value in parts.items():
        if isinstance(value, list):
            yield f"  {key}:"
            yield from (f"    - {_text(one)}" for one in value)
        else:
            yield f"  {key}: {_text(value)}"


def _about_corpus(found: Project) -> Iterator[str]:
    place = found.place
    several = f": {', '.join(map(_plain, place.folders))}" if place.folders else ""
    number = found.searched.documents if found.searched else 0
    yield f"What is searched: {place.counted(number)}{several}."
    if place.left_out:
        yield f"Left out: {', '.join(map(_plain, place.left_out))}."
    if found.dataset and place.share < ENOUGH:
        yield f"Only {place.share:.0%} of the judged documents are in it: is it the right folder?"
    if place.path == "." and not place.folders and place.kind == "page":
        yield "Reports that are written into this folder are searched, too: write them elsewhere."


def _configurations(found: Project) -> list[str]:
    """Choose what fits: how code or prose is cut, and a model that is done in minutes."""
    number = found.searched.documents if found.searched else found.own_documents
    model = "static" if number > MANY else "minilm"
    code = found.searched is not None and found.searched.is_code
    chunker = "code" if code else "text"
    why = "programs between their parts" if code else "pages between sections and paragraphs"
    return [
        "# What is tried. Lists multiply: the last one is two configurations.",
        "configurations:",
        "  - {name: words, search: lexical}",
        *_comment(f"A model of meaning beside the words ({_model(model)}).", indent="  "),
        f"  - {{name: both, search: hybrid, model: {model}}}",
        *_comment(f"Cut {why}; sizes are in tokens.", indent="  "),
        f"  - {{name: chunks, search: hybrid, model: {model}, chunker: {chunker},",
        "     chunk_size: [128, 384]}",
    ]


def _comment(text: str, *, indent: str = "") -> list[str]:
    """Write a comment that a terminal of 80 columns shows whole; a long name stays one."""
    start = f"{indent}# "
    rows = wrap_line(text, WIDTH - len(start), indent=0).split("\n")
    return [f"{start}{row}" for row in rows]


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
