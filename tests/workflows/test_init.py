"""A file for the folder one is in: it says what was found, reads back, and runs as it is."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.corpora.open_corpus import open_corpus
from assay.errors import AssayError, InputError
from assay.workflows.init import init
from assay.workflows.run import run

HANDBOOK = Path(__file__).parents[2] / "examples" / "handbook"
ADD = 'def add(one, other):\n    """Add two numbers."""\n    return one + other\n'
WAIT = 'def wait(seconds):\n    """Wait for a while."""\n    sleep(seconds)\n'


def question(key, text, path):
    judged = [{"doc_ref": {"path": path}, "relevance_grade": 3}]
    return {"query_key": key, "query_text": text, "relevant_docs": judged}


@pytest.fixture
def prose(tmp_path):
    folder = tmp_path / "handbook ö"
    shutil.copytree(HANDBOOK, folder)
    (folder / "benchmark.yaml").unlink()
    return folder


@pytest.fixture
def code(tmp_path):
    folder = tmp_path / "project"
    (folder / "src" / "pkg").mkdir(parents=True)
    (folder / "src" / "pkg" / "adding.py").write_text(ADD)
    (folder / "src" / "pkg" / "waiting.py").write_text(WAIT)
    (folder / "README.md").write_text("# A project\n")
    (folder / "tests").mkdir()
    asked = [question("q1", "add numbers", "pkg/adding.py")]
    asked += [question("q2", "wait a while", "pkg/waiting.py")]
    (folder / "tests" / "queries.json").write_text(json.dumps({"queries": asked}))
    return folder


def test_prose_is_cut_as_text_and_the_dataset_is_found(prose):
    started = init(prose)
    benchmark = read_benchmark(prose / "assay.yaml")

    assert started.file == str(prose / "assay.yaml")
    assert (started.dataset, started.queries, started.documents) == ("questions.yaml", 7, 6)
    assert benchmark.name == "handbook ö"
    assert benchmark.dataset == str(prose / "questions.yaml")
    assert benchmark.baseline == "bm25"
    assert [one.name for one in benchmark.configurations] == [
        "bm25",
        "hybrid",
        "hybrid-chunks chunk_size=128",
        "hybrid-chunks chunk_size=384",
    ]
    assert benchmark.configurations[-1].chunker == "text"
    assert started.next.startswith(f"assay run '{prose}/assay.yaml' --plan")
    assert started.lacks == ()


def test_code_is_found_in_the_folder_that_the_references_start_from(code):
    started = init(code)
    benchmark = read_benchmark(code / "assay.yaml")

    assert benchmark.dataset == str(code / "tests" / "queries.json")
    assert benchmark.corpus == {"path": "src", "include": ["**/*.py"]}
    assert benchmark.configurations[-1].chunker == "code"
    assert "Only" not in started.text


def test_a_dataset_among_the_documents_is_left_out_of_them(tmp_path):
    """It holds the queries word for word."""
    (tmp_path / "a.txt").write_text("red apples")
    (tmp_path / "b.txt").write_text("a blue sky")
    (tmp_path / "qrels.txt").write_text("q1 0 a.txt 1\n")
    asked = {"queries": [question("q1", "red", "a.txt"), question("q2", "blue", "b.txt")]}
    (tmp_path / "questions.json").write_text(json.dumps(asked))
    init(tmp_path)
    corpus = read_benchmark(tmp_path / "assay.yaml").corpus
    assert corpus["path"] == "."
    assert corpus["include"] == ["**/*.txt"]


def lay(folder, *paths, asked=()):
    """Write pages, and queries that they answer."""
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(f"what is said of {path}\n")
    if asked:
        queries = [question(f"q{at}", path, path) for at, path in enumerate(asked)]
        (folder / "questions.json").write_text(json.dumps({"queries": queries}))
    return folder


def corpus_of(folder):
    """Return what the written file searches, and the paths in it."""
    benchmark = read_benchmark(folder / "assay.yaml")
    found = open_corpus(benchmark.corpus, relative_to=benchmark.home)
    return benchmark.corpus, [one.path for one in found.documents()]


def test_the_folder_that_holds_the_pages_is_searched_and_no_report_beside_it(prose):
    started = init(prose)
    assert started.corpus == "pages"
    (prose / "r.md").write_text("# A report\n")
    corpus, paths = corpus_of(prose)
    assert corpus == {"path": "pages", "include": ["**/*.md"]}
    assert len(paths) == 6
    assert started.left_out == ()


def test_a_backup_is_left_out_and_named(prose, snapshot):
    shutil.copytree(prose / "pages", prose / "pages.bak")
    started = init(prose)
    assert (started.corpus, started.documents) == ("pages", 6)
    (left_out,) = started.left_out
    assert left_out == "pages.bak/: a copy"
    assert left_out in started.text
    snapshot(started.text)


def test_copies_within_the_folder_are_left_out(tmp_path):
    lay(tmp_path, "pages/a.md", "pages/b.md", "pages/a copy.md", "pages/old/b.md", asked=["a.md"])
    started = init(tmp_path)
    corpus, paths = corpus_of(tmp_path)
    assert corpus["exclude"] == ["/a copy.md", "/old"]
    assert paths == ["a.md", "b.md"]
    assert started.left_out == ("2 copies: pages/a copy.md, pages/old/",)


def test_of_two_folders_the_one_that_answers_is_searched_and_the_other_named(tmp_path):
    lay(tmp_path, "docs/a.md", "docs/b.md", "wiki/x.md", "README.md", asked=["a.md", "b.md"])
    started = init(tmp_path)
    assert (started.corpus, started.documents) == ("docs", 2)
    assert started.left_out == ("wiki/: 0 of 2 references found there",)


def test_two_folders_that_both_answer_are_both_searched(tmp_path, snapshot):
    lay(tmp_path, "docs/a.md", "docs/b.md", "wiki/x.md", asked=["docs/a.md", "wiki/x.md"])
    started = init(tmp_path)
    (tmp_path / "r.md").write_text("# A report\n")
    corpus, paths = corpus_of(tmp_path)
    assert corpus == {"path": ".", "include": ["/docs/**/*.md", "/wiki/**/*.md"]}
    assert paths == ["docs/a.md", "docs/b.md", "wiki/x.md"]
    assert started.folders == ("docs (2)", "wiki (1)")
    assert ", ".join(started.folders) in started.text
    snapshot(started.text.replace(tmp_path.name, "NAME"))


def test_a_small_folder_does_not_stand_for_all_that_is_there(tmp_path):
    names = [f"{folder}/{name}.md" for folder in ("api", "howto", "guide") for name in "abc"]
    lay(tmp_path, *names, asked=["guide/a.md"])
    started = init(tmp_path)
    assert started.folders == ("api (3)", "guide (3)", "howto (3)")
    assert started.documents == 9


def test_a_page_beside_the_folders_that_answers_is_searched(tmp_path, snapshot):
    lay(tmp_path, "FAQ.md", "docs/a.md", "docs/b.md", asked=["FAQ.md", "docs/a.md"])
    started = init(tmp_path)
    assert corpus_of(tmp_path)[0] == {"path": ".", "include": ["**/*.md"]}
    snapshot(started.text.replace(tmp_path.name, "NAME"))


def test_the_deepest_folder_with_all_pages(tmp_path):
    lay(tmp_path, "content/en/docs/a.md", "content/en/docs/deep/b.md", asked=["a.md", "deep/b.md"])
    (tmp_path / "content" / "build.py").write_text(ADD)
    assert init(tmp_path).corpus == "content/en/docs"


def test_without_a_dataset_the_folder_is_named_too(tmp_path):
    lay(tmp_path, "pages/a.md", "pages/b.md")
    started = init(tmp_path)
    assert (started.corpus, started.documents) == ("pages", 2)
    assert '\n# corpus: {path: pages, include: ["**/*.md"]}\n' in started.text  # to be taken as is


def test_patterns_in_names_mean_themselves(tmp_path):
    lay(tmp_path, "a[1]/x.md", "a1/y.md", "b*/z.md", asked=["a[1]/x.md", "a1/y.md", "b*/z.md"])
    started = init(tmp_path)
    assert started.folders == ("a1 (1)", "a[1] (1)", "b* (1)")
    assert corpus_of(tmp_path)[1] == ["a1/y.md", "a[1]/x.md", "b*/z.md"]


def test_further_datasets_are_named_and_never_searched(tmp_path):
    lay(tmp_path, "a.txt", "b.txt", "c.txt", asked=["a.txt", "b.txt"])
    (tmp_path / "qrels.txt").write_text("q1 0 a.txt 1\n")
    shutil.copy(tmp_path / "questions.json", tmp_path / "more_questions.json")
    started = init(tmp_path)
    told = {started.dataset, *(one.split()[0] for one in started.others)}
    assert told == {"questions.json", "more_questions.json", "qrels.txt"}
    assert corpus_of(tmp_path)[1] == ["a.txt", "b.txt", "c.txt"]


def test_no_line_of_the_file_is_longer_than_a_terminal(tmp_path):
    folders = [f"a_folder_with_a_rather_long_name_{at}" for at in range(4)]
    names = [f"{folder}/{name}.md" for folder in folders for name in "abc"]
    lay(tmp_path, *names, asked=[f"{folder}/a.md" for folder in folders])
    (tmp_path / "other.json").write_text((tmp_path / "questions.json").read_text())
    started = init(tmp_path)
    assert max(map(len, started.text.splitlines())) <= 80, started.text
    assert len(corpus_of(tmp_path)[1]) == 12


@pytest.mark.parametrize("kind", ["prose", "code"])
def test_the_file_runs_as_it_is(kind, request, tmp_path):
    folder = request.getfixturevalue(kind)
    started = init(folder)
    text = started.text.replace("minilm", "static")  # the same but for the time that it takes
    (folder / "assay.yaml").write_text(text)
    report = run(folder / "assay.yaml", workspace=tmp_path / "workspace")
    assert all(one.status == "completed" for one in report.runs)
    assert report.runs[0].scores["ndcg@10"] > 0.5


def test_a_dataset_with_documents_needs_no_corpus(tmp_path):
    (tmp_path / "data" / "qrels").mkdir(parents=True)
    lines = {"queries.jsonl": {"_id": "q", "text": "red"}}
    lines["corpus.jsonl"] = {"_id": "d", "title": "", "text": "red"}
    for name, one in lines.items():
        (tmp_path / "data" / name).write_text(f"{json.dumps(one)}\n")
    (tmp_path / "data" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\td\t1\n")
    started = init(tmp_path)
    benchmark = read_benchmark(tmp_path / "assay.yaml")
    assert (started.dataset, benchmark.corpus) == ("data", None)
    assert started.next.startswith("assay run ")


def test_without_a_dataset_it_says_how_to_make_one(code):
    shutil.rmtree(code / "tests")
    started = init(code)
    assert started.dataset == ""
    assert started.make.startswith("assay dataset make repoeval ")
    assert "\n# dataset: questions.yaml\n" in started.text
    with pytest.raises(AssayError, match="dataset"):
        read_benchmark(code / "assay.yaml")
    assert read_benchmark(code / "assay.yaml", dataset="stdlib").configurations
    subprocess.run(["git", "init", "-q", str(code)], check=True)
    assert "make git-history" in init(code, force=True).make


def test_the_example_of_a_dataset_can_be_pasted(tmp_path):
    lay(tmp_path, "pages/a b.md", "pages/c.md", "pages/d/e.md", "pages/f.md")
    started = init(tmp_path)
    assert started.next == f"write {tmp_path}/questions.yaml, then: assay init {tmp_path} --force"
    (tmp_path / "questions.yaml").write_text(started.example)
    started = init(tmp_path, force=True)
    assert (started.dataset, started.queries, started.corpus) == ("questions.yaml", 2, "pages")
    assert (started.references_found, started.references, started.example) == (3, 3, "")
    assert started.next.startswith(f"assay run {tmp_path}/assay.yaml --plan")


def test_a_dataset_that_is_made_is_found(code):
    """As the command that is shown writes it."""
    shutil.rmtree(code / "tests")
    init(code)
    asked = {"queries": [question("q1", "add numbers", "pkg/adding.py")]}
    (code / "made").mkdir()
    (code / "made" / "dataset.json").write_text(json.dumps(asked))
    started = init(code, force=True)
    assert (started.dataset, started.corpus) == ("made", "src")


def test_an_empty_folder_gets_a_file_too(tmp_path):
    started = init(tmp_path)
    assert started.next.startswith("add documents and questions.yaml, then: assay init")
    assert any("no documents to index" in note for note in started.notes)
    assert (started.lacks, started.example) == (("dataset", "corpus"), "")
    assert read_benchmark(tmp_path / "assay.yaml", dataset="stdlib").configurations


def test_nothing_is_written_over_unasked(prose, snapshot):
    (prose / "assay.yaml").write_text("mine")
    with pytest.raises(InputError, match=r"assay\.yaml: ") as refused:
        init(prose)
    assert "--force" in refused.value.hint
    snapshot(refused.value)
    assert (prose / "assay.yaml").read_text() == "mine"
    init(prose, force=True)
    assert (prose / "assay.yaml").read_text() != "mine"


def test_a_file_elsewhere_has_paths_from_there(prose, tmp_path):
    (tmp_path / "other").mkdir()
    started = init(prose, output=tmp_path / "other" / "bench.yaml")
    assert started.dataset == "../handbook ö/questions.yaml"
    benchmark = read_benchmark(tmp_path / "other" / "bench.yaml")
    assert Path(benchmark.dataset).resolve() == (prose / "questions.yaml").resolve()


@pytest.mark.parametrize(
    "name", ["true", "12", "a: b", "#x", "'q\"", "-", "é\u2028b", "a\x85b", "{x}"]
)
def test_any_name_of_a_folder_is_one(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    init(folder)
    place = folder / "assay.yaml"
    text = place.read_text(encoding="utf-8")
    text = text.replace("# dataset: questions.yaml", "dataset: stdlib")
    place.write_text(text, encoding="utf-8")
    assert read_benchmark(place).name == name


@pytest.mark.parametrize("place", ["nowhere", "x.md"])
def test_no_folder(tmp_path, place, snapshot):
    (tmp_path / "x.md").touch()
    with pytest.raises(InputError, match=place) as caught:
        init(tmp_path / place)
    snapshot(caught.value)


def test_a_place_that_cannot_be_written(prose, tmp_path, snapshot):
    with pytest.raises(InputError, match=r"no/bench\.yaml") as caught:
        init(prose, output=tmp_path / "no" / "bench.yaml")
    snapshot(caught.value)
    with pytest.raises(InputError, match=f"{tmp_path}: ") as caught:
        init(prose, output=tmp_path)
    snapshot(caught.value)
