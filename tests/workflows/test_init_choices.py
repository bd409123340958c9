"""What `init` takes for the dataset, what for documents, and what it says of the rest."""

import csv
import json
import shlex
from pathlib import Path

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.corpora.open_corpus import open_corpus
from assay.workflows.diff import diff
from assay.workflows.init import init
from assay.workflows.plan import plan

NAMES = [f"{one}-{other}" for one in ("boiler", "garden", "roof") for other in "abcdefghijklmno"]


def pages(folder, names=NAMES[:20], ending=".md"):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{name}{ending}").write_text(f"# {name}\n\nWhat to know about {name}.\n")


def table(path, rows, titles=("question", "file")):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([titles, *rows])


def asked(names, ending=".md"):
    return [(f"what is there to know about {name}?", f"{name}{ending}") for name in names]


def searched(folder):
    """Return the paths of the documents that the written file searches."""
    benchmark = read_benchmark(folder / "assay.yaml")
    corpus = open_corpus(benchmark.corpus, relative_to=benchmark.home)
    return [one.path for one in corpus.documents()]


def faq(number, source="manual.pdf"):
    text = {"id": f"F{number}", "question": f"How does thing {number} work?"}
    return json.dumps({**text, "answer": f"Press button {number}.", "source": source})


# documents that look like datasets


@pytest.mark.parametrize("stem", ["entry", "faq"])
@pytest.mark.parametrize("number", [45, 12])
def test_a_knowledge_base_of_questions_is_a_corpus(tmp_path, stem, number):
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb" / "manual.md").write_text("# Manual\n")
    for one in range(number):
        (tmp_path / "kb" / f"{stem}-{one}.json").write_text(faq(one, "manual.md"))
    names = [f"{stem}-{one}" for one in range(number - 4)]
    table(tmp_path / "tickets.csv", asked(names, ".json"))
    started = init(tmp_path)
    assert (started.dataset, started.others) == ("tickets.csv", ())
    assert (started.corpus, started.documents) == ("kb", number)
    assert started.references_found == started.references == number - 4
    assert len(searched(tmp_path)) == number


def test_documents_with_several_questions_each(tmp_path):
    """Each can be read as a dataset, and some are named by no reference."""
    (tmp_path / "kb").mkdir()
    for one in range(6):
        rows = [{"question": f"How does {one}.{n} work?", "file": "0.json"} for n in range(5)]
        (tmp_path / "kb" / f"{one}.json").write_text(json.dumps(rows))
    table(tmp_path / "questions.csv", asked(["1", "2", "3"], ".json"))
    started = init(tmp_path)
    assert (started.references_found, started.references) == (3, 3)
    assert len(searched(tmp_path)) == 6


def test_a_page_that_is_called_a_copy_and_is_referred_to(tmp_path):
    names = [f"plan{n}{end}" for n in range(10) for end in ("", "-old")]
    pages(tmp_path / "docs", names)
    table(tmp_path / "questions.csv", asked(names))
    started = init(tmp_path)
    assert (started.documents, started.references_found, started.references) == (20, 20, 20)
    assert started.left_out == ()
    assert len(searched(tmp_path)) == 20


def test_only_the_copies_that_nobody_refers_to_are_left_out(tmp_path):
    pages(tmp_path / "docs", ["a", "a-old", "b", "b-old"])
    table(tmp_path / "questions.csv", asked(["a", "a-old", "b"]))
    started = init(tmp_path)
    assert started.left_out == ("docs/b-old.md: a copy",)
    assert searched(tmp_path) == ["a-old.md", "a.md", "b.md"]


def test_a_folder_that_is_called_a_copy_and_is_referred_to(tmp_path):
    pages(tmp_path / "pages", ["a", "b"])
    pages(tmp_path / "backup", ["a", "b", "c"])
    rows = [("what is a?", "pages/a.md"), ("what was a?", "backup/a.md")]
    table(tmp_path / "questions.csv", rows)
    started = init(tmp_path)
    assert (started.references_found, started.references) == (2, 2)
    assert started.folders == ("backup (3)", "pages (2)")


def test_many_copies_are_one_line_and_one_pattern(tmp_path):
    pages(tmp_path / "docs", [f"page{n}" for n in range(30)])
    pages(tmp_path / "docs", [f"page{n}-old" for n in range(25)])
    table(tmp_path / "questions.csv", asked(["page1", "page2"]))
    started = init(tmp_path)
    (line,) = started.left_out
    assert line.startswith("25 copies: docs/page0-old.md, ")
    assert line.endswith(" and 22 more")
    assert read_benchmark(tmp_path / "assay.yaml").corpus["exclude"] == ["*-old.md"]
    assert len(searched(tmp_path)) == 30


def test_a_rare_ending_that_a_reference_names_is_searched(tmp_path):
    pages(tmp_path / "docs", NAMES)
    pages(tmp_path / "docs", ["limits"], ".yaml")
    table(tmp_path / "questions.csv", [*asked(NAMES), ("what are the limits?", "limits.yaml")])
    started = init(tmp_path)
    assert started.references_found == started.references == len(NAMES) + 1
    assert "limits.yaml" in searched(tmp_path)


def test_a_file_that_cannot_be_used_is_named_where_the_dataset_would_be(tmp_path):
    pages(tmp_path / "docs", NAMES)
    table(tmp_path / "asked.csv", asked(NAMES), titles=("what people ask", "right page"))
    started = init(tmp_path)
    assert "# asked.csv cannot be used as it is" in started.text
    assert "shows an example" not in started.text
    assert started.example == ""


def test_without_a_dataset_many_files_of_another_ending_are_the_documents(tmp_path):
    pages(tmp_path / "manual", NAMES, ".rec")
    pages(tmp_path / "drafts", ["todo"], ".txt")
    started = init(tmp_path)
    assert (started.corpus, started.documents) == ("manual", len(NAMES))
    assert started.left_out == ("drafts/: 1 file of other kinds (.txt)",)
    pages(tmp_path / "drafts", NAMES[:10], ".txt")
    assert init(tmp_path, force=True).corpus == "drafts"


def test_queries_without_a_relevant_document_are_counted(tmp_path):
    pages(tmp_path / "docs", NAMES)
    rows = asked(NAMES[:8])
    table(tmp_path / "questions.csv", [*rows, *((text + "?", "") for text, _ in rows[:5])])
    assert "5 of 13 queries in questions.csv name no relevant document" in init(tmp_path).notes
    made = plan(tmp_path / "assay.yaml", workspace=tmp_path / "w")
    assert made.collections[0].without_relevant == 5


def test_further_datasets_beside_the_documents_are_hidden(tmp_path):
    pages(tmp_path, NAMES[:8], ".json")
    for name in ("questions.json", "questions-old.json"):
        rows = [{"question": text, "file": file} for text, file in asked(NAMES[:6], ".json")]
        (tmp_path / name).write_text(json.dumps(rows))
    started = init(tmp_path)
    assert (started.dataset, started.others) == (
        "questions.json",
        ("questions-old.json (6 queries)",),
    )
    assert len(searched(tmp_path)) == 8


# which dataset


def test_translations_are_no_dataset(tmp_path):
    pages(tmp_path / "docs")
    (tmp_path / "locales").mkdir()
    texts = {f"Save file {n}": f"Datei {n} speichern" for n in range(30)}
    (tmp_path / "locales" / "de.json").write_text(json.dumps(texts))
    started = init(tmp_path)
    assert (started.dataset, started.corpus, started.lacks) == ("", "docs", ("dataset",))
    assert started.notes == ()


def test_a_dataset_without_found_references_is_named_but_not_chosen(tmp_path, snapshot):
    pages(tmp_path / "docs")
    table(tmp_path / "tickets.csv", asked(["gone/a", "gone/b"], ".html"))
    started = init(tmp_path)
    assert started.dataset == ""
    (note,) = started.notes
    snapshot(note)
    (tmp_path / "tickets.csv").rename(tmp_path / "questions.csv")
    assert init(tmp_path, force=True).dataset == "questions.csv"


def test_a_dataset_is_found_behind_a_folder_of_others(tmp_path):
    pages(tmp_path / "docs", NAMES)
    for one in range(12):
        rows = [{"question": f"what about {one} {n}?", "file": f"no{n}.txt"} for n in range(3)]
        (tmp_path / f"faq-{one:02}.json").write_text(json.dumps(rows))
    table(tmp_path / "zz" / "mine.csv", asked(NAMES[:9]))
    assert init(tmp_path).dataset == "zz/mine.csv"


def test_one_of_many_datasets_is_chosen_and_others_are_named(tmp_path):
    pages(tmp_path / "docs", NAMES)
    for one in range(25):
        table(tmp_path / "sets" / f"{one:02}.csv", asked(NAMES[one : one + 5]))
    started = init(tmp_path)
    assert (started.dataset, started.corpus) == ("sets/00.csv", "docs")
    assert started.others[0] == "sets/01.csv (5 queries)"


def test_only_datasets_of_one_corpus_are_proposed_together(tmp_path):
    pages(tmp_path / "docs")
    pages(tmp_path / "code", [name.replace("-", "_") for name in NAMES[:20]], ".py")
    table(tmp_path / "a_questions.csv", asked(NAMES[:20]))
    table(tmp_path / "b_questions.csv", asked(NAMES[:10]))
    names = [name.replace("-", "_") for name in NAMES[:9]]
    table(tmp_path / "c_questions.csv", asked(names, ".py"))
    text = init(tmp_path).text
    assert '# To run several: datasets: ["a_questions.csv", "b_questions.csv"]\n' in text
    assert "c_questions.csv" in text


# tables that nobody can read


def test_a_table_that_names_documents_is_not_passed_over(tmp_path, snapshot):
    pages(tmp_path / "wiki")
    place = tmp_path / "qa" / "2024 export" / "helpdesk_tickets.csv"
    table(place, asked(NAMES[:12]), ("ticket_text", "solved_with"))
    started = init(tmp_path)
    (note,) = started.notes
    snapshot(note)
    assert (started.dataset, started.example) == ("", "")
    assert started.next.startswith("correct qa/2024 export/helpdesk_tickets.csv, then: ")
    text = place.read_text().replace("ticket_text,solved_with", "question,file")
    place.write_text(text)
    assert init(tmp_path, force=True).dataset == "qa/2024 export/helpdesk_tickets.csv"


def test_where_a_dataset_is_broken(tmp_path):
    pages(tmp_path / "kb")
    place = tmp_path / "qa" / "2024 export" / "questions.yaml"
    place.parent.mkdir(parents=True)
    place.write_text("queries:\n  - query: a\n\texpected_files: [x.md]\n")
    (note,) = init(tmp_path).notes
    assert note.startswith("qa/2024 export/questions.yaml, line 3: uses a tab")


def test_questions_without_documents(tmp_path):
    pages(tmp_path / "kb")
    (tmp_path / "questions.yaml").write_text("- query: a b\n- query: c d\n")
    (note,) = init(tmp_path).notes
    assert note.startswith("questions.yaml: 2 queries without judgments; ")


def test_a_log_without_judgments_leads_to_a_diff(tmp_path, monkeypatch):
    pages(tmp_path / "kb")
    table(tmp_path / "log.csv", [("roof", 12), ("garden a", 3)], ("query", "count"))
    started = init(tmp_path)
    assert (started.dataset, started.log, started.logged) == ("", "log.csv", 2)
    assert started.lacks == ("dataset",)
    assert f"--queries {tmp_path / 'log.csv'}" in started.next
    monkeypatch.chdir(tmp_path)
    command = next(line for line in started.text.splitlines() if "assay diff" in line)
    words = shlex.split(command.lstrip("# "))[2:]
    assert words == ["assay.yaml", "bm25", "hybrid", "--queries", "log.csv"]
    found = diff(words[0], runs=words[1:3], queries=words[4], untimed=True, workspace="work")
    assert {one.query for one in found.changes} == {"roof", "garden a"}


def test_a_log_beside_a_dataset_is_not_needed(tmp_path):
    pages(tmp_path / "kb")
    table(tmp_path / "log.csv", [("roof", 12), ("garden a", 3)], ("query", "count"))
    table(tmp_path / "questions.csv", asked(NAMES[:9]))
    started = init(tmp_path)
    assert (started.dataset, started.log) == ("questions.csv", "")


# references that are not found


def test_what_a_misspelled_reference_may_mean(tmp_path, snapshot):
    pages(tmp_path / "docs" / "security", ["phishing", "passwords"])
    pages(tmp_path / "docs" / "other")
    rows = [(f"about {name}?", f"security/{name}.md") for name in ("phising", "passwords")]
    table(tmp_path / "questions.csv", [*rows, *asked([f"other/{name}" for name in NAMES[:9]])])
    (note,) = init(tmp_path).notes
    snapshot(note)


def test_a_reference_that_fits_several_documents(tmp_path, snapshot):
    for folder in ("a", "b", "c"):
        pages(tmp_path / "docs" / folder, [f"{folder}-{name}" for name in NAMES[:9]])
    for folder in ("a", "b"):
        pages(tmp_path / "docs" / folder, ["setup"])
    names = [f"{folder}-{name}" for folder in ("a", "b", "c") for name in NAMES[:3]]
    table(tmp_path / "questions.csv", [*asked(names), ("how to set up?", "setup.md")])
    started = init(tmp_path)
    assert (started.references_found, started.references) == (9, 10)
    (note,) = started.notes
    snapshot(note)


def test_a_reference_that_no_record_has(tmp_path):
    records = [{"id": f"A{n}", "text": f"about {name}"} for n, name in enumerate(NAMES)]
    (tmp_path / "articles.jsonl").write_text("\n".join(map(json.dumps, records)))
    rows = [(f"about {name}?", f"A{n}") for n, name in enumerate(NAMES)]
    table(tmp_path / "gold.csv", [*rows, ("what else?", "B9")], ("question", "doc_id"))
    (note,) = init(tmp_path).notes
    assert note == '1 of 46 references not found: document_id "B9"'


# documents without text


def test_empty_files_are_no_documents(tmp_path):
    (tmp_path / "a.md").touch()
    (tmp_path / "b.md").write_text(" \n")
    started = init(tmp_path)
    assert (started.corpus, started.documents) == ("", 0)
    (note,) = started.notes
    assert "2 files skipped: 2 .md (empty)" in note
    assert (started.example, started.lacks) == ("", ("dataset", "corpus"))


def test_an_empty_file_among_others_counts_as_in_a_plan(tmp_path):
    pages(tmp_path / "docs", NAMES[:4])
    (tmp_path / "docs" / "__empty.md").touch()
    table(tmp_path / "questions.csv", asked(NAMES[:4]))
    started = init(tmp_path)
    planned = plan(tmp_path / "assay.yaml", workspace=tmp_path / "workspace")
    assert [one.documents for one in planned.collections] == [started.documents] == [5]
    (tmp_path / "questions.csv").unlink()
    assert "__empty.md" not in init(tmp_path, force=True).example


def test_programs_are_searched_where_all_pages_are_empty(tmp_path):
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).touch()
    (tmp_path / "main.py").write_text("print(1)\n")
    assert init(tmp_path).include == ("**/*.py",)


def test_an_example_names_files_that_exist(tmp_path):
    for number, name in enumerate(NAMES[:3], 1):
        pages(tmp_path, [name])
        example = init(tmp_path, force=True).example
        (tmp_path / "questions.yaml").write_text(example)
        started = init(tmp_path, force=True)
        assert (started.references_found, started.references) == (number, number)
        (tmp_path / "questions.yaml").unlink()


# why other folders are not searched


def test_of_equal_folders_it_says_why_one_was_chosen(tmp_path):
    for folder in ("a", "b"):
        pages(tmp_path / folder)
    table(tmp_path / "questions.csv", asked(NAMES[:10]))
    started = init(tmp_path)
    assert started.left_out == ("b/: fits as well; a/ was chosen because it comes first",)
    pages(tmp_path / "b", ["more"])
    started = init(tmp_path, force=True)
    assert started.left_out == ("a/: fits as well; b/ was chosen because it has more documents",)


def test_a_link_that_leads_to_itself_hides_nothing(tmp_path):
    pages(tmp_path / "docs")
    pages(tmp_path / "notes", ["x"])
    (tmp_path / "self").symlink_to("self")
    (tmp_path / "nowhere").symlink_to("gone")
    table(tmp_path / "questions.csv", asked(NAMES[:10]))
    assert init(tmp_path).left_out == ("notes/: 0 of 10 references found there",)


def test_more_folders_than_are_named_are_counted(tmp_path):
    pages(tmp_path / "docs")
    for number in range(9):
        pages(tmp_path / f"other{number}", ["x"])
    table(tmp_path / "questions.csv", asked(NAMES[:10]))
    started = init(tmp_path)
    assert (len(started.left_out), started.left_out[-1]) == (7, "3 more")


@pytest.mark.parametrize("with_dataset", [True, False])
def test_a_corpus_that_is_a_link(tmp_path, with_dataset):
    folder = tmp_path / "around" / "project"
    folder.mkdir(parents=True)
    pages(tmp_path / "elsewhere" / "kb")
    (folder / "docs").symlink_to(tmp_path / "elsewhere" / "kb")
    if with_dataset:
        table(folder / "questions.csv", asked(NAMES[:10]))
    started = init(folder)
    assert (started.corpus, started.documents) == ("docs", 20)
    assert started.link == str(tmp_path / "elsewhere" / "kb")
    assert started.left_out == ()
    if with_dataset:
        assert len(searched(folder)) == 20


def test_a_link_that_is_not_searched_is_named_with_its_target(tmp_path):
    folder = tmp_path / "around" / "project"
    pages(folder / "docs")
    pages(tmp_path / "elsewhere", ["x"])
    (folder / "more").symlink_to("../../elsewhere")
    table(folder / "questions.csv", asked(NAMES[:10]))
    (line,) = init(folder).left_out
    assert line.startswith("more/: a link to ../../elsewhere, which is not followed; ")


def test_a_folder_that_may_not_be_entered(tmp_path, monkeypatch):
    """The tests may run as root, who may enter every folder."""
    pages(tmp_path / "docs")
    (tmp_path / "private").mkdir()
    table(tmp_path / "questions.csv", asked(NAMES[:10]))
    is_file = Path.is_file

    def refuse(path):
        if path.parent.name == "private":
            raise PermissionError(13, "Permission denied", str(path))
        return is_file(path)

    monkeypatch.setattr(Path, "is_file", refuse)
    assert init(tmp_path).corpus == "docs"


# what the file says


def test_the_file_explains_unjudged_documents(tmp_path):
    pages(tmp_path / "docs")
    table(tmp_path / "questions.csv", asked(NAMES[:1]))
    text = init(tmp_path).text
    before, _, after = text.partition("\n# unjudged: zero\n")
    assert "primary: ndcg@10" in before
    assert "baseline: bm25" in after
    assert "# 1 of 1 reference of the dataset is found in it.\n" in text
    (tmp_path / "assay.yaml").write_text(text.replace("# unjudged: zero", "unjudged: zero"))
    assert read_benchmark(tmp_path / "assay.yaml").unjudged == "zero"


def test_a_dataset_in_a_folder_is_left_out_of_documents_of_its_ending(tmp_path):
    pages(tmp_path, NAMES[:5], ".json")
    judged = [{"doc_ref": {"path": f"{NAMES[0]}.json"}, "relevance_grade": 1}]
    query = {"query_key": "q", "query_text": "what?", "relevant_docs": judged}
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "dataset.json").write_text(json.dumps({"queries": [query]}))
    assert init(tmp_path).dataset == "made"
    assert searched(tmp_path) == [f"{name}.json" for name in sorted(NAMES[:5])]
