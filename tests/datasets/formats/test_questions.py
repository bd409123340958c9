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
        query.text: [one.reference.name or one.reference.path for one in query.judgments]
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


def test_items_of_a_list_and_addresses_are_not_split(tmp_path):
    listed = [{"question": "a", "files": ["a;b.md", "c|d.md", "e, f.md"]}]
    assert files(read(tmp_path, "x.json", json.dumps(listed))) == {
        "a": ["a;b.md", "c|d.md", "e, f.md"]
    }
    pages = [
        {"question": "a", "page": "https://x.org/a?x=1;y=2|3"},
        {"question": "b", "page": "https://x.org/b;https://x.org/c"},
    ]
    assert files(read(tmp_path, "x.json", json.dumps(pages))) == {
        "a": ["https://x.org/a?x=1;y=2|3"],
        "b": ["https://x.org/b", "https://x.org/c"],
    }


REPEATED = [(FIRST, "a.md"), (SECOND, "c.md"), (FIRST, "b.md")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", json.dumps(as_json("question", "file", REPEATED))),
        ("x.json", json.dumps({"items": as_json("query", "document", REPEATED)})),
        ("x.jsonl", "\n".join(map(json.dumps, as_json("question", "file", REPEATED)))),
        ("x.yaml", "".join(f"- question: {t}\n  file: {n}\n" for t, n in REPEATED)),
        ("x.csv", "question,answer file\n" + "".join(f"{t},{n}\n" for t, n in REPEATED)),
        ("x.csv", "question,file\n" + "".join(f"{t},{n}\n" for t, n in REPEATED)),
        ("x.tsv", "No\tquestion\tpage\n" + "".join(f"{t[0]}\t{t}\t{n}\n" for t, n in REPEATED)),
    ],
)
def test_records_with_the_same_question_are_one_query(tmp_path, name, text):
    dataset = read(tmp_path, name, text)
    assert files(dataset) == {FIRST: ["a.md", "b.md"], SECOND: ["c.md"]}
    assert len(dataset.queries) == 2


def test_what_merged_records_say(tmp_path, snapshot):
    entries = [
        {"id": 1, "question": "a", "file": "x.md", "category": "c", "team": "red", "level": "easy"},
        {"id": "1", "question": " a ", "file": "y.md", "category": "c", "team": "blue"},
        {"question": "a", "file": "x.md", "level": "easy"},
        {"id": 2, "question": "b", "file": "z.md; x.md"},
    ]
    dataset = read(tmp_path, "x.json", json.dumps(entries))
    assert files(dataset) == {"a": ["x.md", "y.md"], "b": ["z.md", "x.md"]}
    assert [query.key for query in dataset.queries] == ["1", "2"]
    assert (dataset.queries[0].category, dataset.queries[0].extra) == ("c", {"level": "easy"})
    snapshot(dataset.notes)


def test_ids_grades_fields_and_remarks_are_kept(tmp_path):
    entry = {"id": 7, "question": "a", "file": "x.md", "grade": 2, "category": "c", "answer": "yes"}
    (query,) = read(tmp_path, "x.json", json.dumps([entry])).queries
    assert (query.key, query.category, query.extra) == ("7", "c", {"answer": "yes"})
    assert query.judgments[0].grade == 2
    assert query.judgments[0].reference == Reference.named("x.md")


@pytest.mark.parametrize(
    "rest",
    [
        {"files": ["x.md", "y.md"], "grades": [3, 0]},
        {"files": "x.md; y.md", "Relevance": ["3", 0.0]},
        {"files": {"x.md": 3, "y.md": 0}},
        {"relevant": {"x.md": 3, "y.md": 0}},
    ],
)
def test_a_grade_for_each_file(tmp_path, rest):
    dataset = read(tmp_path, "x.json", json.dumps([{"question": "a", **rest}]))
    (query,) = dataset.queries
    assert [(one.reference.name, one.grade) for one in query.judgments] == [
        ("x.md", 3),
        ("y.md", 0),
    ]
    assert (dataset.scale, query.extra) == (3, {})
    assert not any("grade 1" in note for note in dataset.notes)


def test_relevant_is_a_grade_beside_a_file(tmp_path):
    entries = [{"question": "a", "file": f"{grade}.md", "relevant": grade} for grade in (1, 0)]
    (query,) = read(tmp_path, "x.json", json.dumps(entries)).queries
    assert [one.grade for one in query.judgments] == [1, 0]


def test_without_grades_a_note_says_that_all_files_are_relevant(tmp_path, snapshot):
    dataset = read(
        tmp_path, "x.json", '[{"question": "a", "file": "x.md", "page": 12, "asked_by": "Ana"}]'
    )
    assert dataset.queries[0].extra == {"page": 12, "asked_by": "Ana"}
    snapshot(dataset.notes)


def test_a_mapping_has_a_note_of_its_own(tmp_path, snapshot):
    dataset = read(tmp_path, "x.yaml", "How do I reset it: reset.md\nRent: [a.md, b.md]\n")
    assert files(dataset) == {"How do I reset it": ["reset.md"], "Rent": ["a.md", "b.md"]}
    snapshot(dataset.notes)


GRADED = [
    {"stars": 3},
    {"level": 0},
    {"level": "3"},
    {"type": 1},
    {"difficulty": 2},
    {"correct": False},
    {"correct": [1]},
    {"verdict": "not relevant"},
    {"verdict": "Relevant"},
    {"ok": "no"},
    {"confidence": 0.4},
    {"stars": "3/5"},
    {"annotation": {"relevance": 0}},
    {"ratng": "good"},
    {"rank": 1},
]


@pytest.mark.parametrize("layout", ["json", "jsonl", "yaml"])
@pytest.mark.parametrize("rest", GRADED, ids=str)
def test_what_may_be_a_grade_is_refused_unless_told_otherwise(tmp_path, rest, layout):
    entries = [{"question": "a", "file": "x.md"}, {"question": "b", "file": "y.md", **rest}]
    lines = "\n".join(map(json.dumps, entries))
    text = lines if layout == "jsonl" else json.dumps(entries)
    with pytest.raises(InputError, match=next(iter(rest))) as refused:
        read(tmp_path, f"x.{layout}", text)
    assert "--binary" in refused.value.hint
    assert len(read(tmp_path, f"x.{layout}", text, binary=True).queries) == 2


@pytest.mark.parametrize(
    "rest",
    [
        {"difficulty": "hard", "level": "advanced", "type": "how-to"},
        {"page": 12, "start_line": 3, "ticketId": 7, "chunk_id": 2, "no": 3, "year": 2024},
        {"answer": 42, "tags": [1, 2], "section": 3, "lang": "no", "notes": "yes"},
    ],
    ids=str,
)
def test_what_is_surely_no_grade_is_kept(tmp_path, rest):
    (query,) = read(
        tmp_path, "x.json", json.dumps([{"id": 1, "question": "a", "file": "x.md", **rest}])
    ).queries
    assert {**query.extra, "difficulty": query.difficulty or None} | rest == {
        **query.extra,
        "difficulty": query.difficulty or None,
    }


@pytest.mark.parametrize(
    "entries",
    [
        [{"grade": 3}, {}],
        [{"grade": None}],
        [{"grade": "high"}],
        [{"is_relevant": True}],
        [{"label": "billing"}],
        [{"grade": 1, "rating": 2}],
        [{"file": ["x.md", "y.md"], "grade": 3}],
        [{"file": ["x.md", "y.md"], "grades": [3]}],
        [{"file": {"x.md": 3}, "grade": 3}],
        [{"file": {"x.md": 3}}, {"file": ["y.md"]}],
        [{"file": {"path": "x.md"}}],
        [{"file": [{"path": "x.md", "grade": 3}]}],
        [{"question": "same", "grade": 1}, {"question": "same", "grade": 2}],
    ],
    ids=str,
)
def test_grades_that_are_not_clear_are_refused(tmp_path, entries, snapshot):
    given = [{"question": f"q{at}", "file": "x.md", **one} for at, one in enumerate(entries)]
    with pytest.raises(InputError) as refused:
        read(tmp_path, "x.json", json.dumps(given))
    snapshot(refused.value)


TEXTS = [
    {"question": "capital of France?", "expected": "Paris, of course; it is on the Seine"},
    {"question": "capital of France?", "gold": "Paris"},
    {"user_input": "what is x", "reference": "x is a thing; used for y", "response": "..."},
    {"query": "what is x", "document": "X is a long passage of text, that explains; all."},
    {"query": "你好吗", "document": "这是一个很长的段落，讲述了许多事情。"},
    {"query": "what is x", "documents": ["A passage of some words.", "And another one."]},
    {"prompt": "do x", "expected": "42"},
    {"prompt": "do x", "target": "bonjour | salut"},
    {"prompt": "hello there", "source": "web"},
    {"prompt": "hello there", "source": "ana@example.org"},
    {"question": "how", "answer": "so", "source": "support"},
    {"question": "how", "relevant": "yes"},
    {"question": "how", "page": "12"},
    {"question": "how", "file": "N/A"},
    {"question": "how", "document": 17},
]


@pytest.mark.parametrize("record", TEXTS, ids=str)
@pytest.mark.parametrize("layout", ["json", "jsonl", "yaml"])
def test_texts_and_numbers_are_no_files(tmp_path, record, layout, snapshot):
    text = json.dumps(record if layout == "jsonl" else {"tests": [record]}, ensure_ascii=False)
    with pytest.raises(InputError) as refused:
        read(tmp_path, f"x.{layout}", text)
    if layout == "json":
        snapshot(refused.value)


@pytest.mark.parametrize(
    "value",
    [
        {"Save file 1": "Datei 1 speichern", "Open the file": "Datei öffnen"},
        {"Save the file": "Speichern", "Open the file": "Öffnen"},
        {"questions": {"How do I save?": "Wie speichere ich?"}},
        {"Getting started": "start.md", "API reference": "api.md"},
        {"name": "x", "files": ["a.js"], "scripts": {"build all": "tsc"}},
        {"compilerOptions": {"paths": {"@/*": ["src/*"]}}, "files": ["a.ts"]},
        {"query": "{ me { id } }", "variables": {}},
        {"query": "y", "path": "src"},
        {"version": "2", "data": [{"title": "x", "paragraphs": [{"qas": [{"question": "q?"}]}]}]},
        {"prompts": ["a"], "tests": [{"vars": {"question": "x"}, "assert": []}]},
    ],
    ids=str,
)
def test_files_of_other_programs_are_no_questions(tmp_path, value):
    with pytest.raises(InputError, match="not recognized"):
        read(tmp_path, "x.json", json.dumps(value))
    with pytest.raises(InputError):
        read(tmp_path, "x.yaml", json.dumps(value))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "x.yaml",
            '# question, file\n- question: "how, to"\n  file: a.md\n',
            {"how, to": ["a.md"]},
        ),
        ("x.json", '[{"question": "a b", "file": "x.md", "page": 12}]', {"a b": ["x.md"]}),
        ("x.json", '[{"question": "a b", "file": "x.md", "source": "mail"}]', {"a b": ["x.md"]}),
        ("x.jsonl", '{"question": "a b", "relevant": ["x.md"]}', {"a b": ["x.md"]}),
        ("x.jsonl", '{"question": "a", "file": "x.md", "items": [{"b": 1}]}', {"a": ["x.md"]}),
        ("x.jsonl", '{"prompt": "a b", "file": "x.md"}', {"a b": ["x.md"]}),
        ("x.jsonl", '{\n "question": "a b",\n "file": "x.md"\n}', {"a b": ["x.md"]}),
        (
            "x.json",
            '{"metadata": {"a": 1}, "questions": [{"q": "a", "file": "x.md"}]}',
            {"a": ["x.md"]},
        ),
        (
            "x.json",
            '{"queries": [{"query_id": "1", "query": "a", "relevant": ["x.md"]}]}',
            {"a": ["x.md"]},
        ),
        (
            "x.json",
            '{"name": "n", "queries": [{"query": "a", "documents": ["x.md"]}]}',
            {"a": ["x.md"]},
        ),
        (
            "x.json",
            '[{"query": "a", "doc_id": 7}, {"query": "a", "doc_id": "8"}]',
            {"a": ["7", "8"]},
        ),
        ("x.yaml", "- query: a\n  source: docs/x.md\n", {"a": ["docs/x.md"]}),
        (
            "x.yaml",
            "- {question: a, file: x.md}\n- {question: b, files: [y.md]}\n",
            {"a": ["x.md"], "b": ["y.md"]},
        ),
    ],
)
def test_what_is_clear_is_read(tmp_path, name, text, expected):
    dataset = read(tmp_path, name, text)
    assert (files(dataset), dataset.format) == (expected, "questions")


@pytest.mark.parametrize(
    "text",
    [
        '{"questions": []}',
        '[{"question": "a"}, {"question": "b", "files": ["x.md"]}]',
        '[{"question": "a", "answer": "b"}]',
        '[{"question": "a", "query": "b", "file": "x.md"}]',
        '[{"question": "a", "file": "x.md", "path": "y.md"}]',
        '[{"question": "a", "file": "x.md"}, {"question": "b", "file": "z.md", "files": ["y.md"]}]',
        '[{"id": 1, "question": "a", "file": "x.md"}, {"id": 1, "question": "b", "file": "y.md"}]',
        '[{"id": 1, "question": "a", "file": "x.md"}, {"id": 2, "question": "a", "file": "y.md"}]',
        '[{"id": [1], "question": "a", "file": "x.md"}]',
        '{"questions": [{"question": "a", "file": "x.md"}], "examples": []}',
        '[{"question": "a", "expected_files": ["x.md"], "expected_symbols": ["Get"]}]',
        '{"match": "exact", "questions": [{"question": "a", "expected_files": ["x.md"]}]}',
    ],
)
def test_clashing_and_missing_keys_are_named(tmp_path, text, snapshot):
    with pytest.raises(InputError) as refused:
        read(tmp_path, "x.json", text)
    assert refused.value.hint
    snapshot(refused.value)


def test_a_file_may_name_itself_and_its_corpus(tmp_path):
    text = "name: mine\ncorpus: src\nscale: 3\nquestions:\n- {question: a, file: x.md}\n"
    dataset = read(tmp_path, "x.yaml", text)
    assert (dataset.name, dataset.corpus) == ("mine", {"path": "src"})
    assert any('"scale"' in note for note in dataset.notes)


def test_files_longer_than_the_first_bytes(tmp_path):
    rows = [(f"how do I do it {n}", f"{n}.md") for n in range(3000)]
    whole = {text: [name] for text, name in rows}
    for name, text in {
        "x.json": json.dumps(
            {"metadata": {"a": 1}, "questions": as_json("question", "file", rows)}
        ),
        "y.json": json.dumps(dict(rows)),
        "x.jsonl": "\n".join(map(json.dumps, as_json("question", "file", rows))),
        "x.yaml": read_yaml(rows),
        "y.yaml": "".join(f"{text}: {name}\n" for text, name in rows),
    }.items():
        assert files(read(tmp_path, name, text)) == whole
    late = [*as_json("question", "file", rows), {"question": "z", "file": "z.md", "stars": 3}]
    with pytest.raises(InputError, match='"stars"'):
        read(tmp_path, "x.json", json.dumps(late))
    symbols = f"{read_yaml(rows)}- question: z\n  file: z.md\n  expected_symbols: [Get]\n"
    with pytest.raises(InputError, match='"expected_symbols"'):
        read(tmp_path, "x.yaml", symbols)


def read_yaml(rows):
    return "".join(f"- question: {text}\n  file: {name}\n" for text, name in rows)


@pytest.mark.parametrize(
    "text",
    [
        '[{"question": "a", "file": "x.md", "stars": 3}]',  # may be a grade
        '[{"question": "a"}]',
        '[{"question": "a", "file": "x.md"}, 3]',
        '[{"question": "a", "file": "x.md"}, {"question": "", "file": "y.md"}]',
        '[{"question": "a", "file": "x.md"}, {"question": "b", "file": 3}]',
        '[{"question": "a", "file": ["x.md", "x.md"]}]',
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
