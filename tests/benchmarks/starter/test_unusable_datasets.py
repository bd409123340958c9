"""Tables and lists that look like questions: what is wrong with them, and what is none."""

import csv
import json

import pytest

from assay.benchmarks.starter.find_datasets import find_datasets
from assay.benchmarks.starter.unusable_datasets import unusable_datasets

TOPICS = ["boiler", "garden", "roof", "lift", "cellar", "window"]
ROWS = [(f"how do I repair the {topic}?", f"{topic}.md") for topic in TOPICS]


@pytest.fixture
def problems(tmp_path):
    (tmp_path / "docs").mkdir()
    for topic in TOPICS:
        (tmp_path / "docs" / f"{topic}.md").write_text(topic)

    def find(*, chosen=False):
        found = find_datasets(tmp_path, but=tmp_path / "assay.yaml")
        unusable = unusable_datasets(found, start=tmp_path, chosen=chosen)
        return [one.problem for one in unusable]

    return find


def write(path, titles, rows, mark=","):
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file, delimiter=mark).writerows([titles, *rows])


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_columns_that_no_format_knows(tmp_path, problems, mark, snapshot):
    write(tmp_path / "export.csv", ["ticket_text", "solved_with"], ROWS, mark)
    (problem,) = problems()
    if mark == ",":
        snapshot(problem)
    assert problem.startswith("export.csv looks like a table of questions, but ")
    assert 'rename "ticket_text" to "question" and "solved_with" to "file"' in problem


def test_other_columns_that_would_be_in_the_way(tmp_path, problems, snapshot):
    rows = [(n, *row, "Eva") for n, row in enumerate(ROWS)]
    write(tmp_path / "Fragenkatalog.csv", ["Nr", "Frage", "Datei", "Autorin"], rows, ";")
    snapshot(*problems())


def test_of_two_columns_of_files_the_fuller_one_is_named_first(tmp_path, problems, snapshot):
    more = ["", "roof.md", "", "garden.md", "", ""]
    rows = [(text, file, other) for (text, file), other in zip(ROWS, more, strict=True)]
    write(tmp_path / "export.csv", ["Ask", "Right page", "Also right"], rows)
    (problem,) = problems()
    assert 'rename "Ask" to "question" and "Right page" to "file"; move the files of' in problem
    snapshot(problem)


@pytest.mark.parametrize("name", ["check.json", "check.yaml", "check.jsonl"])
def test_lists_of_objects(tmp_path, problems, name):
    records = [{"utterance": text, "article": [file[:-3]]} for text, file in ROWS]
    lines = "\n".join(map(json.dumps, records))
    (tmp_path / name).write_text(lines if name.endswith("jsonl") else json.dumps(records))
    (problem,) = problems()
    assert 'its keys are not recognized: rename "utterance" to "question"' in problem


def test_what_the_reader_says_where_the_titles_are_right(tmp_path, problems):
    rows = [(*row, n % 3) for n, row in enumerate(ROWS)]
    write(tmp_path / "tickets.csv", ["question", "file", "priority"], rows)
    (problem,) = problems()
    assert "cannot be read: no grade column" in problem


@pytest.mark.parametrize(
    ("titles", "rows"),
    [
        (["title", "file"], ROWS),  # a list of the documents
        (["label", "file"], [(topic, f"{topic}.md") for topic in TOPICS]),
        (["text", "price"], [(text, n) for n, (text, _) in enumerate(ROWS)]),
        (["text", "picture"], [(text, f"{n}.png") for n, (text, _) in enumerate(ROWS)]),
        (["ticket", "solved_with"], ROWS[:1]),
        (["only"], [(text,) for text, _ in ROWS]),
    ],
)
def test_tables_of_something_else(tmp_path, problems, titles, rows):
    write(tmp_path / "export.csv", titles, rows)
    assert problems() == []


def test_navigation_and_settings_are_no_questions(tmp_path, problems):
    nav = "".join(f"  - How to repair the {topic}: {topic}.md\n" for topic in TOPICS)
    (tmp_path / "mkdocs.yml").write_text(f"site_name: x\nnav:\n{nav}")
    (tmp_path / "package.json").write_text(json.dumps({"files": [row[1] for row in ROWS]}))
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "deep.json").write_text("[" * 5_000)
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\0,\0")
    assert problems() == []


def test_beside_a_chosen_dataset_only_telling_tables_are_named(tmp_path, problems):
    write(tmp_path / "export.csv", ["ticket_text", "solved_with"], ROWS)
    assert problems(chosen=True) == []
    write(tmp_path / "eval.csv", ["ticket_text", "solved_with"], ROWS)
    (problem,) = problems(chosen=True)
    assert problem.startswith("eval.csv ")


def test_files_that_are_only_called_like_a_dataset(tmp_path, problems):
    for number in range(5):
        (tmp_path / f"questions{number}.yaml").write_text("a: 1\nb: 2\n")
    first, *_, last = problems()
    assert first.startswith("questions0.yaml")
    assert "--format" not in first
    assert last.startswith("2 more files with the name of a dataset cannot be read")


def test_the_first_of_several_problems_is_named_with_its_place(tmp_path, problems):
    (tmp_path / "sub").mkdir()
    text = "queries:\n  - {query: a, expcted_files: [x]}\n  - {query: b, expcted_files: [x]}\n"
    (tmp_path / "sub" / "questions.yaml").write_text(text)
    (problem,) = problems()
    assert problem.startswith("sub/questions.yaml, line 2")
    assert "1 more problem: assay dataset check" in problem


def test_a_wrong_key_beside_expected_files_is_told_by_its_format(tmp_path, problems):
    listed = "expected_files: [{path: roof.md, symbol: a b c d}]"
    rows = [f"- {{query: {word}, house: roof, {listed}}}" for word in "ab"]
    (tmp_path / "asked.yaml").write_text("\n".join(rows))
    (problem,) = problems()
    assert 'unknown key "house"' in problem
    assert "rename" not in problem
