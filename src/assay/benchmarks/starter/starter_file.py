"""What was found in a folder -> the text of a benchmark file for it, with a comment per part."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.benchmarks.starter.corpus_folder import ENOUGH, CorpusFolder
from assay.benchmarks.starter.current_settings import CurrentSettings
from assay.benchmarks.starter.example_questions import FILE
from assay.benchmarks.starter.project_files import CorpusFiles
from assay.text.count_noun import count_noun
from assay.text.wrap import wrap_line

__all__ = ["Project", "starter_file"]

MANY = 3_000  # documents above which the more accurate model takes long
MADE = "made"
WIDTH = 80
NOWHERE = CorpusFolder()


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
    current: CurrentSettings | None = None

    @property
    def searched(self) -> CorpusFiles | None:
        """What is searched."""
        return self.place.searched

    @property
    def described_others(self) -> tuple[str, ...]:
        """The further datasets, each with its size."""
        return tuple(f"{name} ({count_noun(number, 'query')})" for name, number in self.others)

    def next(self, file: str, folder: str) -> str:
        """Return what to do next: a command, or what to change before it."""
        if self.dataset and (self.holds_corpus or self.searched):
            return f"assay run {_quoted(file)}"
        if self.place.empty is not None:
            return f"add documents, then: {self.again(folder)}"
        if self.dataset:
            return f"set the path of the corpus in {file}, then: assay run {_quoted(file)}"
        return f"write {Path(folder) / FILE}, then: {self.again(folder)}"

    def again(self, folder: str) -> str:
        """Return the command that writes the file again."""
        return f"assay init{'' if folder == '.' else f' {_quoted(folder)}'} --force"

    def make(self, folder: str) -> str:
        """Return the command that makes a dataset of this folder; nothing if there is none."""
        out = _quoted(Path(folder) / MADE)
        if (self.folder / ".git").exists() and self.searched:
            return f"assay dataset make git-history --corpus {_quoted(folder)} -o {out}"
        if self.searched and self.searched.is_code:
            return f"assay dataset make repoeval --corpus {_quoted(folder)} -o {out}"
        return ""


def starter_file(found: Project, *, file: str) -> str:
    """Write the file."""
    lines = [
        *_comment(f"Which search configuration to ship for {_plain(found.folder.name)}."),
        *_comment(f"Run it: assay run {_plain(_quoted(Path(file).name))}"),
        *_comment("--plan shows what a run would do and how long it would take."),
        f"name: {_text(found.folder.name or 'benchmark')}",
        "",
        *_dataset(found),
        *_corpus(found),
        "",
        *_comment("What is measured. The primary metric decides."),
        "metrics: [ndcg@10, mrr@10, recall@5, recall@10, ap]",
        "primary: ndcg@10",
        "",
        *_comment("The configuration that the others are compared with."),
        f"baseline: {'current' if found.current else 'bm25'}",
        *_comment("Limits that no configuration may exceed:"),
        "# budgets: {latency_p95_ms: 50, bytes_per_document: 10000}",
        "",
        *_configurations(found),
    ]
    return "\n".join(lines) + "\n"


def _dataset(found: Project) -> list[str]:
    if found.dataset:
        also = [f"Also found: {_plain(', '.join(found.described_others))}."] if found.others else []
        names = [found.dataset, *(name for name, _ in found.others)]
        also += [f"To run all of them: datasets: {_plain(_text(names))}"] if found.others else []
        return [
            *_comment(f"{count_noun(found.queries, 'query')} with judgments."),
            *(line for text in also for line in _comment(text)),
            f"dataset: {_text(found.dataset)}",
        ]
    none = f"No questions with judgments were found. Write some into {FILE}, each with the files "
    none += "that answer it (`assay init` shows an example), then uncomment dataset and corpus."
    make = found.make(".")
    made = [*_comment("Or make some from this folder:"), f"#   {make}"] if make else []
    return [*_comment(none), *made, f"# dataset: {FILE}"]


def _corpus(found: Project) -> list[str]:
    if found.holds_corpus:
        said = "The dataset has its own documents. To search others, give their folder here."
        return [*_comment(said), "# corpus: ."]
    about = [line for text in _about_corpus(found) for line in _comment(text)]
    if found.searched is None:
        return [*about, "# corpus: docs"]
    place, start = found.place, "" if found.dataset else "# "
    parts: dict[str, object] = {"path": found.corpus or "."}
    parts |= {"include": [*found.searched.include]} if found.searched.include else {}
    parts |= {"exclude": [*place.exclude]} if place.exclude else {}
    parts |= {"ignored": True} if place.ignored else {}
    whole = ", ".join(f"{key}: {_text(value)}" for key, value in parts.items())
    short = len(whole) + len(f"{start}corpus: {{}}") <= WIDTH
    lines = [f"corpus: {{{whole}}}"] if short else ["corpus:", *_block(parts)]
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
    """Say what is searched and what is not."""
    place = found.place
    if found.searched is None:
        yield "The corpus: no documents were found. Give the path of their folder."
    else:
        several = f": {', '.join(map(_plain, place.folders))}" if place.folders else ""
        yield f"The corpus: {place.counted()}{several}."
    if found.dataset and place.total and found.searched:
        total = count_noun(place.total, "reference")
        yield f"{place.found:,} of {total} of the dataset are found in it."
    if found.dataset and found.searched and place.share < ENOUGH:
        names = ", ".join(map(_plain, place.missing))
        yield f"Check that it is the right folder. Not found: {names}."
    if place.ignored:
        yield "Git ignores these files; `ignored: true` reads them."
    if place.left_out:
        yield f"Not searched: {'; '.join(map(_plain, place.left_out))}."
    if found.searched and place.path == "." and not place.folders and place.kind == "page":
        yield "Write reports to another folder: files in this one are searched."


def _configurations(found: Project) -> list[str]:
    """Choose what fits: how code or prose is split, and a model that takes minutes at most."""
    number = found.searched.documents if found.searched else found.own_documents
    model = "static" if number > MANY else "minilm"
    code = found.searched is not None and found.searched.is_code
    chunker = "code" if code else "text"
    where = "functions and classes" if code else "sections and paragraphs"
    return [
        *_comment("The configurations to compare. Lists multiply: the last entry is two."),
        "configurations:",
        *_current(found.current),
        *_comment("Lexical search (BM25).", indent="  "),
        "  - {name: bm25, search: lexical}",
        *_comment(f"Lexical and dense search combined. {_model(model)}", indent="  "),
        f"  - {{name: hybrid, search: hybrid, model: {model}}}",
        *_comment(f"The same with chunks that end between {where}; sizes in tokens.", indent="  "),
        f"  - {{name: hybrid-chunks, search: hybrid, model: {model}, chunker: {chunker},",
        "     chunk_size: [128, 384]}",
    ]


def _current(current: CurrentSettings | None) -> list[str]:
    """Write the configuration that a project has today."""
    if current is None:
        return []
    said = f"The current search, from {current.source}: {', '.join(current.read)}."
    settings = ", ".join(f"{key}: {_text(value)}" for key, value in current.settings.items())
    return [
        *_comment(_plain(said), indent="  "),
        *(line for note in current.notes for line in _comment(_plain(note), indent="  ")),
        f"  - {{name: current, {settings}}}",
    ]


def _comment(text: str, *, indent: str = "") -> list[str]:
    """Write a comment of lines that fit a terminal of 80 columns; a long name is not split."""
    start = f"{indent}# "
    rows = wrap_line(text, WIDTH - len(start), indent=0).split("\n")
    return [f"{start}{row}" for row in rows]


def _model(name: str) -> str:
    if name == "static":
        return "The model static is fast; minilm is more accurate and slower."
    return "The model static is faster than minilm and less accurate."


def _text(value: object) -> str:
    """Write a value so that YAML reads the same: JSON is YAML, and a plain word needs no quotes."""
    if isinstance(value, str) and WORD.fullmatch(value) and value.lower() not in RESERVED:
        return value
    shown = json.dumps(value, ensure_ascii=False)
    return shown if shown.isprintable() else json.dumps(value)


WORD = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*")
RESERVED = ("null", "true", "false", "yes", "no", "on", "off", "y", "n")


def _plain(name: str) -> str:
    return "".join(letter for letter in name if letter.isprintable()) or "this folder"


def _quoted(path: object) -> str:
    import shlex

    return shlex.quote(str(path))
