"""Realistic folders: documents of any ending, anywhere, and questions as people write them.

`init` finds the corpus that the references lead to, and the file that it writes runs as it is.
"""

import csv
import json
import subprocess

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.corpora.open_corpus import open_corpus
from assay.workflows.init import init
from assay.workflows.run import run

TOPICS = [
    f"{one} {other}" for one in ("boiler", "garden", "roof", "lift") for other in "abcdefghijkl"
]
TOPICS = TOPICS[:45]
ASKED = 25


def lay(folder, ending="", sub=lambda _: ""):
    """Write 45 documents; return the topic and the path of each."""
    found = []
    for number, topic in enumerate(TOPICS):
        path = folder / sub(number) / f"{topic.replace(' ', '-')}{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{topic}\n\nWhat to know about {topic}, entry {number}.\n")
        found.append((topic, path))
    return found


def write_csv(path, titles, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([titles, *rows])


def pairs(documents, name):
    """Return 25 questions with the reference to the file that answers each."""
    return [(f"what about {topic}?", str(name(path))) for topic, path in documents[:ASKED]]


def rec_with_names(root):
    documents = lay(root / "legacy_export_7", ".rec")
    write_csv(root / "questions.csv", ["question", "file"], pairs(documents, lambda p: p.name))
    return "legacy_export_7", ["**/*.rec"]


def kb_with_paths_from_the_top(root):
    documents = lay(root / "vault" / "kb", ".kb", lambda n: f"area{n % 4}")
    rows = pairs(documents, lambda p: p.relative_to(root))
    text = "".join(f"- question: {q}\n  files: [{f}]\n" for q, f in rows)
    (root / "questions.yaml").write_text(text)
    return ".", ["/vault/**/*.kb"]


def names_without_ending(root):
    documents = lay(root / "pages")
    rows = pairs(documents, lambda p: p.name)
    (root / "eval.json").write_text(json.dumps([{"question": q, "file": f} for q, f in rows]))
    (root / "LICENSE").write_text("free\n")
    return "pages", None


def rst_with_dots(root):
    documents = lay(root / "manual", ".rst", lambda n: f"ch{n % 3}")
    rows = pairs(documents, lambda p: f"./{p.relative_to(root)}")
    lines = [json.dumps({"question": q, "expected_files": [f]}) for q, f in rows]
    (root / "golden.jsonl").write_text("\n".join(lines))
    return ".", ["/manual/**/*.rst"]


def adoc_and_questions_elsewhere(root):
    documents = lay(root / "content" / "en", ".adoc", lambda n: f"part{n % 2}")
    rows = pairs(documents, lambda p: p.relative_to(root / "content" / "en"))
    titles = ["id", "query", "expected_file"]
    write_csv(root / "qa" / "gold.csv", titles, [(n, *row) for n, row in enumerate(rows)])
    return "content/en", ["**/*.adoc"]


def absolute_paths_of_another_machine(root):
    documents = lay(root / "wiki", ".wiki", lambda n: f"s{n % 5}")
    rows = pairs(documents, lambda p: f"/home/ana/portal/{p.relative_to(root)}")
    asked = [{"question": q, "answer_file": f} for q, f in rows]
    (root / "questions.json").write_text(json.dumps({"questions": asked}))
    return "wiki", ["**/*.wiki"]


def sections_behind_paths(root):
    documents = lay(root / "handbook", ".md", lambda n: f"s{n % 5}")
    rows = pairs(documents, lambda p: f"{p.relative_to(root)}#contact")
    write_csv(root / "questions.csv", ["question", "file"], rows)
    return ".", ["/handbook/**/*.md"]


def names_with_sections_in_folders(root):
    documents = lay(root / "handbook", ".md", lambda n: f"s{n % 5}")
    write_csv(root / "q.csv", ["question", "page"], pairs(documents, lambda p: f"{p.name}#top"))
    return "handbook", ["**/*.md"]


def paths_from_the_folder_above(root):
    documents = lay(root / "articles", ".kb", lambda n: f"s{n % 5}")
    rows = pairs(documents, lambda p: f"{root.name}/{p.relative_to(root)}")
    lines = [json.dumps({"q": q, "docs": [f]}) for q, f in rows]
    (root / "questions.jsonl").write_text("\n".join(lines))
    return "..", [f"/{root.name}/articles/**/*.kb"]


def a_folder_beside(root):
    documents = lay(root.parent / "corpus_dump", ".rec")
    rows = pairs(documents, lambda p: f"../corpus_dump/{p.name}")
    write_csv(root / "questions.csv", ["question", "file"], rows)
    return "..", ["/corpus_dump/**/*.rec"]


def a_folder_beside_by_names(root):
    documents = lay(root.parent / "dump", ".rec")
    write_csv(root / "questions.csv", ["question", "file"], pairs(documents, lambda p: p.name))
    return "../dump", ["**/*.rec"]


def names_of_articles(root):
    documents = lay(root / "kb", ".kb", lambda n: f"s{n % 3}")
    write_csv(root / "questions.csv", ["question", "article"], pairs(documents, lambda p: p.stem))
    return "kb", ["**/*.kb"]


def a_question_for_each_key(root):
    documents = lay(root / "kb", ".rec")
    asked = dict(pairs(documents, lambda p: p.name))
    (root / "questions.json").write_text(json.dumps(asked))
    return "kb", ["**/*.rec"]


def yaml_of_questions(root):
    documents = lay(root / "data" / "raw" / "2024", ".entry")
    rows = pairs(documents, lambda p: p.name)
    text = "".join(f'  - query: "{q}"\n    expected_files:\n      - {f}\n' for q, f in rows)
    (root / "questions.yml").write_text(f"questions:\n{text}")
    return "data/raw/2024", ["**/*.entry"]


def two_endings(root):
    documents = lay(root / "kb", ".rec")
    moved = []
    for number, (topic, path) in enumerate(documents):
        moved.append((topic, path.rename(path.with_suffix(".kbx")) if number % 3 == 0 else path))
    write_csv(root / "questions.csv", ["question", "file"], pairs(moved, lambda p: p.name))
    return "kb", ["**/*.kbx", "**/*.rec"]


def lines_of_code(root):
    documents = lay(root / "src", ".py")
    rows = pairs(documents, lambda p: f"src/{p.name}:12")
    (root / "queries.json").write_text(json.dumps([{"query": q, "source": f} for q, f in rows]))
    return ".", ["/src/**/*.py"]


LAYOUTS = [
    rec_with_names,
    kb_with_paths_from_the_top,
    names_without_ending,
    rst_with_dots,
    adoc_and_questions_elsewhere,
    absolute_paths_of_another_machine,
    sections_behind_paths,
    names_with_sections_in_folders,
    paths_from_the_folder_above,
    a_folder_beside,
    a_folder_beside_by_names,
    names_of_articles,
    a_question_for_each_key,
    yaml_of_questions,
    two_endings,
    lines_of_code,
]


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "around" / "project"
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_the_corpus_is_where_the_references_lead(layout, root):
    path, include = layout(root)
    started = init(root)
    benchmark = read_benchmark(root / "assay.yaml")
    assert (started.corpus, benchmark.corpus.get("include")) == (path, include)
    assert (started.queries, started.documents) == (ASKED, 45)
    assert (started.references_found, started.references) == (ASKED, ASKED)
    assert started.next.startswith(f"assay run {root}/assay.yaml --plan")
    corpus = open_corpus(benchmark.corpus, relative_to=benchmark.home)
    assert len([*corpus.documents()]) == 45


@pytest.mark.parametrize("layout", [rec_with_names, a_folder_beside, names_without_ending])
def test_the_file_runs_at_once(layout, root, tmp_path):
    layout(root)
    text = init(root).text.replace("minilm", "static")  # the same but for the time that it takes
    (root / "assay.yaml").write_text(text)
    report = run(root / "assay.yaml", workspace=tmp_path / "workspace")
    assert all(one.status == "completed" for one in report.runs)
    assert report.truth["resolved"] == ASKED
    assert report.runs[0].scores["ndcg@10"] > 0.5


def test_why_other_folders_are_not_searched(root, without_converters):
    rec_with_names(root)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".gitignore").write_text("build/\n")
    files = {"notes/a.md": "a", "build/b.md": "b", "empty": None, "pictures/c.png": b"\0"}
    files |= {"data/a.pdf": b"%PDF-1.4", "data/b.pdf": b"%PDF-1.4"}
    for name, content in files.items():
        place = root / name
        (place if content is None else place.parent).mkdir(exist_ok=True)
        if content is not None:
            place.write_bytes(content.encode() if isinstance(content, str) else content)
    started = init(root)
    assert started.corpus == "legacy_export_7"
    assert started.left_out == (
        "build/: ignored by git",
        "data/: only binary files: 2 .pdf",
        "empty/: no files",
        "notes/: 0 of 25 references found there",
        "pictures/: only binary files: 1 .png",
    )
    assert all(one in " ".join(started.text.replace("# ", "").split()) for one in started.left_out)


def test_of_two_folders_with_the_same_names_the_other_is_told(root):
    documents = lay(root / "docs" / "v1", ".rec")
    lay(root / "docs" / "v2", ".rec")
    write_csv(root / "questions.csv", ["question", "file"], pairs(documents, lambda p: p.name))
    for _ in range(2):
        started = init(root, force=True)
        assert started.corpus == "docs/v1"
        why = "fits as well; docs/v1/ was chosen because it comes first"
        assert started.left_out == (f"docs/v2/: {why}",)


def test_a_folder_that_git_ignores_is_searched_if_the_references_lead_there(root):
    documents = lay(root / "data" / "dump", ".txt")
    lay(root / "notes", ".md")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".gitignore").write_text("data/\n")
    write_csv(root / "questions.csv", ["question", "file"], pairs(documents, lambda p: p.name))
    started = init(root)
    assert (started.corpus, started.references_found) == ("data/dump", ASKED)
    corpus = read_benchmark(root / "assay.yaml").corpus
    assert corpus == {"path": "data/dump", "include": ["**/*.txt"], "ignored": True}


def test_a_file_of_documents_is_a_corpus(root):
    records = [{"id": f"A{n}", "text": f"about {topic}"} for n, topic in enumerate(TOPICS)]
    (root / "articles.jsonl").write_text("\n".join(map(json.dumps, records)))
    rows = [(f"what about {topic}?", f"A{n}") for n, topic in enumerate(TOPICS[:ASKED])]
    write_csv(root / "questions.csv", ["question", "doc_id"], rows)
    started = init(root)
    assert (started.corpus, started.documents) == ("articles.jsonl", 45)
    assert read_benchmark(root / "assay.yaml").corpus == {"path": "articles.jsonl"}


def test_the_dataset_whose_references_are_found_is_used(root):
    rec_with_names(root)
    rows = [(f"what about {topic}?", f"gone/{topic}.md") for topic in TOPICS]
    write_csv(root / "eval_old.csv", ["question", "file"], rows)
    started = init(root)
    assert started.dataset == "questions.csv"
    assert started.others == ("eval_old.csv (45 queries)",)


def test_a_dataset_behind_thousands_of_documents_is_found(root):
    for number in range(2_500):
        place = root / "aaa" / f"{number % 50}" / f"doc{number}.txt"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"about thing {number}\n")
    rows = [(f"what about thing {n}?", f"doc{n}.txt") for n in range(ASKED)]
    write_csv(root / "zz.csv", ["question", "file"], rows)
    started = init(root)
    assert (started.dataset, started.corpus, started.documents) == ("zz.csv", "aaa", 2_500)
    assert started.documents_complete


def test_a_count_that_stopped_early_is_a_lower_bound(root, monkeypatch):
    from assay.benchmarks.starter import folder_scan

    lay(root / "kb", ".rec")
    monkeypatch.setattr(
        folder_scan.FolderScan.__init__,
        "__kwdefaults__",
        {"ignored": False, "most": 10, "read": None},
    )
    started = init(root)
    assert (started.documents, started.documents_complete) == (10, False)
    assert "at least 10 documents" in started.text


def test_references_that_lead_nowhere(root):
    lay(root / "kb", ".rec")
    rows = [(f"what about {topic}?", f"gone/{topic}.md") for topic in TOPICS]
    write_csv(root / "questions.csv", ["question", "file"], rows)
    started = init(root)
    assert (started.dataset, started.corpus, started.references_found) == ("questions.csv", "", 0)
    assert started.left_out == ("kb/: 0 of 45 references found there",)
    assert any('"gone/boiler a.md"' in note for note in started.notes)
    assert started.next.startswith("set the path of the corpus in ")
    assert "\n# corpus: docs\n" in started.text


def test_some_references_that_lead_nowhere_are_counted(root):
    documents = lay(root / "kb", ".rec")
    rows = [*pairs(documents, lambda p: p.name), ("what else?", "gone.rec")]
    write_csv(root / "questions.csv", ["question", "file"], rows)
    started = init(root)
    assert (started.references_found, started.references) == (25, 26)
    assert any(note.startswith("1 of 26 references not found") for note in started.notes)


def test_a_file_that_is_too_large_is_told_with_its_limit(root):
    documents = lay(root / "kb", ".rec")
    documents[0][1].write_text("boiler " * 200_000)
    write_csv(root / "questions.csv", ["question", "file"], pairs(documents, lambda p: p.name))
    started = init(root)
    assert (started.documents, started.references_found) == (44, 24)
    assert any("1 .rec (larger than 1 MB)" in note for note in started.notes)


def test_documents_beside_the_dataset_come_first(root):
    """A project may well hold other files of these names."""
    documents = lay(root / "examples" / "handbook" / "pages", ".md")
    lay(root / "docs", ".md", lambda n: f"s{n % 5}")
    for number in range(200):
        (root / "docs" / f"{number}.md").write_text("more")
    rows = pairs(documents, lambda p: p.name)
    text = "".join(f'- query: "{q}"\n  expected_files: [{f}]\n' for q, f in rows)
    (root / "examples" / "handbook" / "questions.yaml").write_text(text)
    started = init(root)
    assert started.dataset == "examples/handbook/questions.yaml"
    assert (started.corpus, started.documents) == ("examples/handbook/pages", 45)
    why = "fits as well; examples/handbook/pages/ was chosen because it is beside the dataset"
    assert started.left_out == (f"docs/: {why}",)


def test_symbols_are_looked_up_in_the_files(root):
    for name in ("src", "tools"):
        (root / name).mkdir()
    (root / "src" / "a.py").write_text("def retry():\n    return 1\n")
    (root / "src" / "b.py").write_text("class Session:\n    pass\n")
    (root / "tools" / "c.py").write_text("def other():\n    return 2\n")
    text = "- {query: how to retry, expected_symbols: [retry]}\n"
    text += "- {query: what is a session, expected_symbols: [Session]}\n"
    (root / "queries.yaml").write_text(text)
    started = init(root)
    assert (started.corpus, started.references_found) == ("src", 2)
    assert started.left_out == ("tools/: 0 of 2 references found there",)


@pytest.mark.parametrize("there", [True, False])
def test_a_corpus_that_the_dataset_names(root, there):
    documents = lay(root / ("kb" if there else "moved"), ".rec")
    rows = pairs(documents, lambda p: p.name)
    entries = "".join(f'  - query: "{q}"\n    expected_files: [{f}]\n' for q, f in rows)
    (root / "questions.yaml").write_text(f"corpus: kb\nqueries:\n{entries}")
    started = init(root)
    assert started.holds_corpus is there
    assert started.corpus == ("" if there else "moved")
    assert started.next.startswith("assay run ")


def test_a_folder_of_pdf_files(root, without_converters):
    (root / "papers").mkdir()
    for number in range(12):
        (root / "papers" / f"{number}.pdf").write_bytes(b"%PDF-1.4\n")
    write_csv(root / "questions.csv", ["question", "file"], [("how much?", "0.pdf")])
    started = init(root)
    assert started.corpus == ""
    (note,) = started.notes
    assert "only PDF files: 12 files skipped: 12 .pdf (binary)" in note
    assert "[documents]" in note
    assert started.next.startswith("add documents, then: assay init")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("questions.yaml", b"queries:\n  - {query: a, expcted_files: [x.md]}\n", "expected_files"),
        ("questions.xlsx", b"PK\x03\x04\x14\0", "CSV"),
        ("questions.csv", b"question,answer\nwhat?,this\n", "columns"),
    ],
)
def test_a_dataset_that_cannot_be_read_is_named(root, name, content, said):
    lay(root / "kb", ".md")
    (root / name).write_bytes(content)
    started = init(root)
    (note,) = started.notes
    assert note.startswith(name)
    assert said in note
    assert (started.dataset, started.example) == ("", "")
    assert started.next == f"correct {name}, then: assay init {root} --force"


def test_questions_about_pdf_files_ask_for_text_first(root, without_converters):
    (root / "a.pdf").write_bytes(b"%PDF-1.4\n")
    (root / "q.csv").write_text("question,file\nwho signs?,a.pdf\n")
    started = init(root)
    assert started.next.startswith("add documents with text, and refer to them in q.csv")


def test_collections_that_are_folders_are_searched_alone(tmp_path):
    asked = []
    for name in ("boiler", "garden"):
        files = lay(tmp_path / "repos" / name, ".md")
        asked += [
            {"query": f"{topic} {name}", "repo": name, "file": path.name} for topic, path in files
        ]
    (tmp_path / "questions.json").write_text(json.dumps(asked))
    result = init(tmp_path)
    benchmark = read_benchmark(result.file)
    assert "collections: repos" in result.text
    assert (result.references_found, result.references) == (90, 90)
    assert [one.name for one in benchmark.collections] == ["boiler", "garden"]


def test_collections_without_folders_are_one_corpus(tmp_path):
    files = lay(tmp_path / "repos" / "boiler", ".md")
    asked = [{"query": topic, "repo": "garden", "file": path.name} for topic, path in files]
    (tmp_path / "questions.json").write_text(json.dumps(asked))
    assert "collections:" not in init(tmp_path).text
