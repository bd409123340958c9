"""Lists of questions with files, under the names that people choose."""

import json

import pytest

from assay.datasets.load import load
from assay.errors import AssayError, InputError
from assay.records import Reference

FIRST, SECOND = "How do I reset it?", "Who pays the rent?"


def read(folder, name, text, **reading):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return load(path, **reading)


def files(dataset):
    """Return the names of the files by question."""
    return {
        query.text: [one.reference.document_id for one in query.judgments]
        for query in dataset.queries
    }


EXPECTED = {FIRST: ["reset.rec"], SECOND: ["rent.rec"]}
ROWS = [(FIRST, "reset.rec"), (SECOND, "rent.rec")]


def as_json(question, file, rows=ROWS):
    return [{question: text, file: name} for text, name in rows]


@pytest.mark.parametrize("question", ["question", "Question", "query", "q", "prompt", "user query"])
@pytest.mark.parametrize(
    "file",
    [
        *("file", "files", "path", "document", "docs", "page", "article", "source", "expected"),
        *("expected_file", "expectedFiles", "Answer file", "relevant_documents", "gold-path"),
    ],
)
def test_a_json_list_with_any_names(tmp_path, question, file):
    dataset = read(tmp_path, "x.json", json.dumps(as_json(question, file)))
    assert (files(dataset), dataset.format, dataset.scale) == (EXPECTED, "questions", 1)
    assert any(f'"{question}"' in note and f'"{file}"' in note for note in dataset.notes)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", json.dumps({"questions": as_json("question", "file")})),
        ("x.json", json.dumps({"name": "mine", "items": as_json("question", "file")})),
        ("x.json", json.dumps(dict(ROWS))),
        ("x.json", json.dumps({"questions": {text: [name] for text, name in ROWS}})),
        ("x.jsonl", "\n".join(map(json.dumps, as_json("question", "expected_files")))),
        ("x.jsonl", "\n".join(json.dumps({"q": text, "docs": [name]}) for text, name in ROWS)),
        ("x.yaml", "".join(f"- question: {text}\n  files: [{name}]\n" for text, name in ROWS)),
        ("x.yaml", "".join(f"- query: {text}\n  file: {name}\n" for text, name in ROWS)),
        ("x.yml", "questions:\n" + "".join(f"  - query: {t}\n    path: {n}\n" for t, n in ROWS)),
        ("x.yaml", "".join(f"{text}: {name}\n" for text, name in ROWS)),
        ("x.csv", "id,query,expected_file\n" + "".join(f"{t[0]},{t},{n}\n" for t, n in ROWS)),
        (
            "x.csv",
            "Nr;Question;Answer file;Comment\n" + "".join(f"1{t};{t};{n};x\n" for t, n in ROWS),
        ),
        ("x.tsv", "question\tarticle\n" + "".join(f"{t}\t{n}\n" for t, n in ROWS)),
    ],
)
def test_the_forms_of_a_list(tmp_path, name, text):
    assert files(read(tmp_path, name, text)) == EXPECTED


def test_several_files_in_a_list_or_in_a_text(tmp_path):
    listed = [{"question": "a", "files": ["x.md", "y.md"]}, {"question": "b", "files": None}]
    assert files(read(tmp_path, "x.json", json.dumps(listed))) == {"a": ["x.md", "y.md"], "b": []}
    text = 'question,files\na,x.md; y.md\nb,x.md|y.md\nc,"x.md, y.md"\nd,"Rent, and more.md"\n'
    assert files(read(tmp_path, "x.csv", text)) == {
        "a": ["x.md", "y.md"],
        "b": ["x.md", "y.md"],
        "c": ["x.md", "y.md"],
        "d": ["Rent, and more.md"],
    }


def test_ids_grades_fields_and_remarks_are_kept(tmp_path):
    entry = {"id": 7, "question": "a", "file": "x.md", "grade": 2, "category": "c", "answer": "yes"}
    (query,) = read(tmp_path, "x.json", json.dumps([entry])).queries
    assert (query.key, query.category, query.extra) == ("7", "c", {"answer": "yes"})
    assert query.judgments[0].grade == 2
    assert query.judgments[0].reference == Reference.named("x.md")


@pytest.mark.parametrize(
    "text",
    [
        '[{"question": "a", "file": "x.md", "stars": 3}]',  # may be a grade
        '[{"question": "a", "file": "x.md", "path": "y.md"}]',  # two keys for the files
        '[{"question": "a", "query": "b", "file": "x.md"}]',
        '[{"question": "a"}]',
        '[{"question": "a", "file": "x.md"}, 3]',
        '[{"question": "a", "file": "x.md"}, {"question": "", "file": "y.md"}]',
        '[{"question": "a", "file": "x.md"}, {"question": "b", "file": 3}]',
        '[{"question": "a", "file": ["x.md", "x.md"]}]',
        '[{"question": "a", "file": "x.md", "id": 1}, {"question": "b", "file": "y.md", "id": 1}]',
    ],
)
def test_what_is_refused_has_a_hint_and_names_the_file(tmp_path, text):
    with pytest.raises(InputError, match=r"x\.json") as refused:
        read(tmp_path, "x.json", text)
    assert refused.value.hint


def test_numbers_that_are_no_grades_are_read_if_told_so(tmp_path):
    text = '[{"question": "a", "file": "x.md", "stars": 3}]'
    assert files(read(tmp_path, "x.json", text, binary=True)) == {"a": ["x.md"]}


@pytest.mark.parametrize(
    ("name", "text", "format_"),
    [
        ("x.csv", "question,file\na,x.md\n", "csv"),
        ("x.csv", "query,document,grade\na,x.md,2\n", "csv"),
        ("x.yaml", "- {query: a, expected_files: [x.md]}\n", "akashic_yaml"),
        ("x.yaml", "queries:\n- {query: a, expected_files: [x.md]}\n", "akashic_yaml"),
        ("x.jsonl", '{"query": "a", "relevant": ["x.md"]}\n', "jsonl_pairs"),
        ("x.jsonl", '{"question": "a", "file": "x.md", "grade": 1}\n', "jsonl_rows"),
        ("x.json", '{"q": {"x.md": 1}}', "qrels"),
    ],
)
def test_formats_of_their_own_come_first(tmp_path, name, text, format_):
    assert read(tmp_path, name, text).format == format_


@pytest.mark.parametrize("key", ["relevant", "answers", "expected"])
def test_a_misspelt_key_of_yaml_with_expected_files_is_still_told(tmp_path, key):
    with pytest.raises(InputError, match="expected_files"):
        read(tmp_path, "x.yaml", f"queries:\n- {{id: a, query: b, {key}: [c.py]}}\n")


@pytest.mark.parametrize(
    "text", ["name: x\npath: src\nquery: y\n", "- a\n- b\n", "services:\n  web: {path: x}\n"]
)
def test_other_files_are_no_questions(tmp_path, text):
    with pytest.raises(AssayError):
        read(tmp_path, "x.yaml", text)
