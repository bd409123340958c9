"""What was found in a folder -> the text of a benchmark file for it, with a comment per part."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.benchmarks.starter.corpus_folder import ENOUGH, CorpusFolder
from assay.benchmarks.starter.current_settings import CurrentSettings
from assay.benchmarks.starter.example_questions import FILE, RESERVED
from assay.benchmarks.starter.project_files import CorpusFiles
from assay.corpora.per_collection import KEY
from assay.text.count_noun import count_noun, plural
from assay.text.wrap import wrap_line

__all__ = ["Project", "starter_file"]

MANY = 3_000  # documents above which the more accurate model takes long
MADE = "made"
SIZES = [128, 384]
WIDTH = 80
UNJUDGED = "Use this if the dataset lists every relevant document of each query. Without it, "
UNJUDGED += "unjudged documents can hold back a verdict."
NOWHERE = CorpusFolder()
NO_CORPUS = "A search service that already runs needs no corpus: see the last configuration."
SERVICE = "A service that already runs. If all configurations are services, remove the others and "
SERVICE += "the baseline: then no corpus is needed. examples/systems has files for several engines."
SYSTEM = (
    "  # - name: current",
    "  #   system:",
    "  #     kind: http",
    '  #     url: "http://localhost:9200/INDEX/_search"',
    '  #     request: {size: "{top}", query: {match: {body: "{query}"}}}',
    "  #     response: {hits: hits.hits, document: _id, score: _score}",
)


@dataclass(frozen=True, slots=True)
class Project:
    """What a benchmark can be made of; paths are relative to the file.

    ``others`` are the first of ``further`` datasets, with their numbers of queries; ``together``
    those that can be run with the same corpus. ``unusable`` is a file that seems to be a dataset,
    and is none as it is. ``log`` has ``logged`` queries without judgments, in the folder.
    """

    folder: Path
    dataset: str = ""
    queries: int = 0
    without_relevant: int = 0
    others: tuple[tuple[str, int], ...] = ()
    further: int = 0
    together: tuple[str, ...] = ()
    corpus: str = ""
    place: CorpusFolder = NOWHERE
    own_documents: int = 0
    holds_corpus: bool = False
    current: CurrentSettings | None = None
    unusable: str = ""
    log: str = ""
    logged: int = 0

    @property
    def searched(self) -> CorpusFiles | None:
        """What is searched."""
        return self.place.searched

    @property
    def described_others(self) -> tuple[str, ...]:
        """The further datasets, each with its size."""
        return tuple(f"{name} ({count_noun(number, 'query')})" for name, number in self.others)

    @property
    def lacks(self) -> tuple[str, ...]:
        """What a run still needs: a dataset, a corpus."""
        corpus = self.holds_corpus or self.searched
        return tuple(filter(None, ("" if self.dataset else "dataset", "" if corpus else "corpus")))

    def next(self, file: str, folder: str) -> str:
        """Return what to do next: a command, or what to change before it."""
        run = f"assay run {_quoted(file)} --plan, then without --plan"
        if not self.lacks:
            return run
        if self.place.empty is not None:
            also = "" if self.dataset else f" and {FILE}"
            service = f"; or set your search service in {file}, then: {run}" if self.dataset else ""
            return f"add documents{also}, then: {self.again(folder)}{service}"
        if self.dataset:
            return f"set the path of the corpus in {file} (or your search service), then: {run}"
        if self.log:
            return f"{self.diff(file, folder)} shows what changes between two configurations"
        return f"write {Path(folder) / FILE}, then: {self.again(folder)}"

    def diff(self, file: str, folder: str) -> str:
        """Return the command that compares the first two configurations over a log of queries."""
        before, after = [*([self.current.name] if self.current else []), *_usual(self)][:2]
        log = _quoted(Path(folder) / self.log)
        return f"assay diff {_quoted(file)} {_quoted(before)} {_quoted(after)} --queries {log}"

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
        *_description(found.current),
        "",
        *_dataset(found, file),
        *_corpus(found),
        "",
        *_comment("What is measured. The primary metric decides."),
        "metrics: [ndcg@10, mrr@10, recall@5, recall@10, ap]",
        "primary: ndcg@10",
        *_comment(UNJUDGED),
        "# unjudged: zero",
        "",
        *_comment("The configuration that the others are compared with."),
        f"baseline: {found.current.name if found.current else 'bm25'}",
        *_comment("Limits: a maximum for a cost, a minimum for a rate or a metric."),
        "# budgets: {latency_p95_ms: 50, files_per_second: 10, ndcg@10: 0.6}",
        "",
        *_configurations(found),
    ]
    return "\n".join(lines) + "\n"


def _description(current: CurrentSettings | None) -> list[str]:
    """Write what reports say of a baseline that is not quite the current search."""
    if current is None or not current.description:
        return []
    rows = wrap_line(_plain(current.description), WIDTH - 2, indent=0).split("\n")
    return ["description: >-", *(f"  {row}" for row in rows)]


def _dataset(found: Project, file: str) -> list[str]:
    if found.dataset:
        also = [f"Also found: {_plain(', '.join(found.described_others))}."] if found.others else []
        names = _plain(_text([found.dataset, *found.together]))
        also += [f"To run several: datasets: {names}"] if found.together else []
        return [
            *_comment(f"{count_noun(found.queries, 'query')} with judgments."),
            *(line for text in also for line in _comment(text)),
            f"dataset: {_text(found.dataset)}",
        ]
    if found.unusable:
        wrong = f"{_plain(found.unusable)} cannot be used as it is; `assay init --force` says "
        return [*_comment(f"{wrong}why, and writes this file again."), f"# dataset: {FILE}"]
    if found.log and found.searched:
        log = f"{_plain(found.log)} has {count_noun(found.logged, 'query')} without judgments."
        return [
            *_comment(f"{log} This shows what changes, and draws the queries to judge:"),
            f"#   {_plain(found.diff(Path(file).name, '.'))}",
            *_comment("The judged queries are the dataset."),
            "# dataset: judged.json",
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
    place, start = found.place, "" if found.dataset or found.log else "# "
    parts: dict[str, object] = {KEY if place.collections else "path": found.corpus or "."}
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
        yield from [NO_CORPUS] if found.dataset else []
    else:
        several = f": {', '.join(map(_plain, place.folders))}" if place.folders else ""
        several += ", each folder for the queries of its collection" if place.collections else ""
        yield f"The corpus: {place.counted()}{several}."
    if found.dataset and place.total and found.searched:
        total, verb = count_noun(place.total, "reference"), plural(place.found, "is", "are")
        yield f"{place.found:,} of {total} of the dataset {verb} found in it."
    if found.dataset and found.searched and place.share < ENOUGH:
        yield "Check that it is the right folder."
        yield from (_ended(_plain(one)) for one in place.missing.sentences)
    if place.link:
        yield f"It is a link to {_plain(place.link)}."
    if place.ignored:
        yield "Git ignores these files; `ignored: true` reads them."
    if place.left_out:
        yield f"Not searched: {'; '.join(map(_plain, place.left_out))}."
    if found.searched and place.path == "." and not place.folders and place.kind == "page":
        yield "Write reports to another folder: files in this one are searched."


def _configurations(found: Project) -> list[str]:
    """Write the current search, if it is known, and what fits besides."""
    return [
        *_comment("The configurations to compare. Lists multiply: the last entry is two."),
        "configurations:",
        *_current(found.current),
        *(
            line
            for name, (said, settings) in _usual(found).items()
            for line in (*_comment(said, indent="  "), *_configuration(name, settings))
        ),
        *(_comment(SERVICE, indent="  ") if found.dataset and "corpus" in found.lacks else ()),
        *(SYSTEM if found.dataset and "corpus" in found.lacks else ()),
    ]


def _usual(found: Project) -> dict[str, tuple[str, dict[str, object]]]:
    """Choose how code or prose is split, and a model that takes minutes at most."""
    number = found.searched.documents if found.searched else found.own_documents
    model = "static" if number > MANY else "minilm"
    code = found.searched is not None and found.searched.is_code
    chunker = "code" if code else "text"
    where = "functions and classes" if code else "sections and paragraphs"
    hybrid: dict[str, object] = {"search": "hybrid", "model": model}
    usual: dict[str, tuple[str, dict[str, object]]] = {
        "bm25": ("Lexical search (BM25).", {"search": "lexical"}),
        "hybrid": (f"Lexical and dense search combined. {_model(model)}", hybrid),
        "hybrid-chunks": (
            f"Hybrid search with chunks that end between {where}; sizes in tokens.",
            {**hybrid, "chunker": chunker, "chunk_size": SIZES},
        ),
    }
    current = found.current.settings if found.current else None
    return {name: one for name, one in usual.items() if one[1] != current}


def _current(current: CurrentSettings | None) -> list[str]:
    """Write the configuration that a project has today."""
    if current is None:
        return []
    said = [f"The current search, from {current.source}: {', '.join(current.read)}."]
    said += [f"Not used from it: {', '.join(current.unused)}."] if current.unused else []
    return [
        *(line for text in (*said, *current.notes) for line in _comment(_plain(text), indent="  ")),
        *_configuration(current.name, current.settings),
    ]


def _configuration(name: str, settings: Mapping[str, object]) -> list[str]:
    """Write a configuration as one entry of lines that fit, if its names are short enough."""
    lines = ["  - {"]
    for key, value in {"name": name, **settings}.items():
        part = f"{key}: {_text(value)}, "
        if len(lines[-1] + part) > WIDTH + 1 and lines[-1].strip(" -{"):
            lines.append("     ")
        lines[-1] += part
    lines[-1] = lines[-1].removesuffix(", ") + "}"
    return [line.rstrip() for line in lines]


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


def _ended(text: str) -> str:
    return text if text.endswith("?") else f"{text}."


def _plain(name: str) -> str:
    return "".join(letter for letter in name if letter.isprintable()) or "this folder"


def _quoted(path: object) -> str:
    import shlex

    return shlex.quote(str(path))
