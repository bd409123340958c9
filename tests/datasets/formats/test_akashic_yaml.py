import pytest

from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import ProblemsError
from assay.records import Dataset, Judgment, Query, Reference

TEXT = """\
test_queries:
  - id: collision_detection
    query: "detect collisions"
    category: function
    difficulty: hard
    expected_files:
      - "Source/Physics/Collision.cpp"
    expected_symbols:
      - DetectCollision
    owner: {team: physics}
  - id: 2
    query: second
    match: exact
    expected_files: [a.py]
    expected_symbols:
"""


def read(tmp_path, text):
    path = tmp_path / "queries.yaml"
    path.write_text(text)
    return load(path)


def problems(tmp_path, text):
    with pytest.raises(ProblemsError) as caught:
        read(tmp_path, text)
    return [(one.where.partition(", ")[2], one.problem, one.hint) for one in caught.value.problems]


def test_by_hand(tmp_path):
    """Each expected file and each expected symbol is one expected item, found by a part of it."""
    dataset = read(tmp_path, TEXT)
    first, second = dataset.queries
    assert dataset.scale == 1
    assert first == Query(
        "collision_detection",
        "detect collisions",
        (
            Judgment(Reference(path="Source/Physics/Collision.cpp", match="substring"), 1),
            Judgment(Reference(symbol="DetectCollision", match="substring"), 1),
        ),
        "function",
        "hard",
        extra={"owner": {"team": "physics"}},
    )
    assert second == Query("2", "second", (Judgment(Reference(path="a.py"), 1),))


def test_a_bare_list_and_a_match_for_all(tmp_path):
    bare = "- {id: a, query: b, expected_files: [c]}\n"
    (query,) = read(tmp_path, bare).queries
    assert query.judgments == (Judgment(Reference(path="c", match="substring"), 1),)
    whole = read(tmp_path, f"match: exact\nname: mine\nlicence: CC0\nqueries:\n{bare}")
    assert whole.queries[0].judgments == (Judgment(Reference(path="c"), 1),)
    assert (whole.name, dict(whole.metadata)) == ("mine", {"licence": "CC0"})


def test_queries_without_an_id_are_called_by_their_place(tmp_path):
    dataset = read(tmp_path, "- query: a\n- query: b\n")
    assert [query.key for query in dataset.queries] == ["q1", "q2"]
    assert "q1, q2" in dataset.notes[0]


def test_all_problems_with_their_lines(tmp_path):
    text = (
        "queries:\n  - id: a\n    query: yes\n  - id: b\n    expected_files: x.py\n"
        "  - id: a\n    query: 2024-01-01\n    match: fuzzy\n"
        "  - query: 1.5\n    expected_files: [~]\n"
    )
    assert problems(tmp_path, text) == [
        ("line 3, queries[0].query", "yes is not a text", 'write it in quotes: "yes"'),
        ("line 4, queries[1]", '"query" is missing', ""),
        ("line 5, queries[1].expected_files", '"x.py" is not a list', "write it as [x.py]"),
        ("line 8, queries[2].match", '"fuzzy" is none of: exact, substring', ""),
        ("line 9, queries[3].query", "1.5 is not a text", 'write it in quotes: "1.5"'),
        ("line 10, queries[3].expected_files[0]", "~ is not a text", 'write it in quotes: "~"'),
    ]


def test_repeated_keys_and_files_are_refused(tmp_path):
    text = "- {id: a, query: x, expected_files: [b, b]}\n- {id: a, query: y}\n"
    assert [(at, problem) for at, problem, _ in problems(tmp_path, text)] == [
        ("line 1", 'document "b" stands twice'),
        ("line 2", 'the query "a" stands twice'),
    ]


def test_no_list_of_queries(tmp_path):
    for text in ("a\n", "entries: []\n", "queries: {}\n"):
        assert problems(tmp_path, text)


def test_what_is_lost_is_said(tmp_path):
    judgments = (
        Judgment(Reference(symbol="f"), 2),
        Judgment(Reference.named("a.py"), 3, "either"),
        Judgment(Reference(path="b.py"), 0),
    )
    lost = save(Dataset("d", (Query("q", "t", judgments),)), tmp_path / "x.yaml")
    assert lost == [
        "the scale becomes 0..1 instead of 0..3",
        "1 judgment cannot be kept",
        "the order of the judgments of 1 query changes",
        "the grade of 2 judgments changes",
        "the group of 1 judgment is lost",
        "the reference key of 1 judgment changes",
    ]
    assert (tmp_path / "x.yaml").read_text() == (
        'name: "d"\nqueries:\n\n  - id: "q"\n    query: "t"\n    expected_files:\n      - "a.py"\n'
        '    expected_symbols:\n      - "f"\n    match: "exact"\n'
    )


@pytest.mark.parametrize(
    ("key", "meant"),
    [("expected", "expected_files"), ("expectd_files", "expected_files"), ("categry", "category")],
)
def test_a_key_that_was_meant_for_ours_is_refused(tmp_path, key, meant):
    text = f"queries:\n  - {{id: a, query: b, {key}: [c.py]}}\n"
    said = (f'the key "{key}" is not known', f'did you mean "{meant}"?')
    assert problems(tmp_path, text) == [("line 2", *said)]


def test_other_keys_say_something_of_a_query(tmp_path):
    text = "queries:\n  - {id: a, query: b, expected_files: [c], expected_answer: 7, tags: [x]}\n"
    (query,) = read(tmp_path, text).queries
    assert query.extra == {"expected_answer": 7, "tags": ["x"]}


def test_what_would_be_refused_again_is_not_written(tmp_path):
    extra = {"expected_file": "x", "expected": "y"}
    query = Query("a", "b", (Judgment(Reference(path="c"), 1),), extra=extra)
    save(Dataset("d", (query,)), tmp_path / "out.yaml")
    (again,) = load(tmp_path / "out.yaml").queries
    assert again.extra == {"expected": "y"}
