import pytest

from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import InputError, ProblemsError
from assay.records import Dataset, Judgment, Query, Reference


def read(tmp_path, text, name="pairs.jsonl"):
    path = tmp_path / name
    path.write_text(text)
    return load(path)


def test_by_hand(tmp_path, snapshot):
    text = (
        '{"query": "where are retries", "relevant": ["a.md", 7], "category": "concept",'
        ' "by": "me"}\n\n'
        '{"query_id": 5, "query": "graded", "relevant": {"a.md": 3, "b.md": 0, "c.md": -1}}\n'
    )
    dataset = read(tmp_path, text)
    assert (dataset.name, dataset.scale) == ("pairs", 3)
    assert dataset.queries == (
        Query(
            "where are retries",
            "where are retries",
            (Judgment(Reference.named("a.md"), 1), Judgment(Reference.named("7"), 1)),
            "concept",
            extra={"by": "me"},
        ),
        Query(
            "5",
            "graded",
            tuple(
                Judgment(Reference.named(name), grade)
                for name, grade in {"a.md": 3, "b.md": 0, "c.md": -1}.items()
            ),
        ),
    )
    assert len(dataset.notes) == 1
    snapshot(dataset.notes)
    assert read(tmp_path, '{"query": "a", "relevant": ["b"]}').scale == 1


def test_all_problems_with_their_lines(tmp_path, snapshot):
    text = (
        '{"query": "a", "relevant": ["x", "x"]}\n{"query": 1, "relevant": []}\nnot json\n'
        '{"query": "b"}\n{"query": "c", "relevant": {"x": 1.5}}\n{"query": "d", "relevant": [""]}\n'
        '{"id": "k", "query": "e", "relevant": []}\n{"id": "k", "query": "f", "relevant": []}\n'
        '{"query": "g", "relevant": {"x": 1, "x": 2}}\n{"query": "h", "relevant": {"x": 1e999}}\n'
    )
    with pytest.raises(ProblemsError) as caught:
        read(tmp_path, text)
    places = [one.where.partition(", line ")[2] for one in caught.value.problems]
    assert places == ["1", "2, query", "3", "4", "5, relevant.x", "6, relevant[0]", "8", "9", "10"]
    snapshot(one.problem for one in caught.value.problems)


def test_of_two_judgments_of_a_document_the_higher_grade_is_kept(tmp_path, snapshot):
    judgments = (
        Judgment(Reference(path="a.py", symbol="f"), 2),
        Judgment(Reference(path="a.py", symbol="g"), 1),
        Judgment(Reference(content_hash="0" * 64), 3),
        Judgment(Reference(symbol="h"), 3),
    )
    path = tmp_path / "x.jsonl"
    lost = save(Dataset("d", (Query("q", "t", judgments),)), path)
    assert len(lost) == 4
    snapshot(lost)
    assert load(path).queries[0].judgments == (Judgment(Reference.named("a.py"), 2),)


@pytest.mark.parametrize("key", ["grades", "relevance", "Ratings"])
@pytest.mark.parametrize("listed", ["relevant", "relevant_docs"])
def test_grades_in_a_list_beside_the_documents(tmp_path, listed, key):
    (query,) = read(tmp_path, f'{{"query": "a", "{listed}": ["x", "y"], "{key}": [3, 1]}}').queries
    assert [(one.reference.name, one.grade) for one in query.judgments] == [("x", 3), ("y", 1)]
    assert query.extra == {}


@pytest.mark.parametrize(
    ("rest", "problem"),
    [
        ('"relevant": ["x", "y"], "grades": [3]', '"grades"'),
        ('"relevant": ["x"], "rating": 2', '"rating"'),
        ('"relevant": {"x": 2}, "grades": [3]', '"grades"'),
        ('"relevant": ["x"], "grades": ["high"]', '"high"'),
        ('"relevant": ["x"], "grades": [1], "labels": [1]', "grades, labels"),
        ('"relevant": ["x"], "relevant_docs": ["y"]', "relevant, relevant_docs"),
    ],
)
def test_what_could_be_grades_is_never_dropped(tmp_path, rest, problem, snapshot):
    with pytest.raises(ProblemsError, match=problem) as caught:
        read(tmp_path, f'{{"query": "a", {rest}}}')
    snapshot(caught.value)


def test_a_text_is_no_grade(tmp_path):
    (query,) = read(tmp_path, '{"query": "a", "relevant": ["x"], "label": "home"}').queries
    assert query.extra == {"label": "home"}


@pytest.mark.parametrize("key", ["id", "query_id", "qid", "topic_id"])
def test_the_key_of_a_query_has_several_names(tmp_path, key):
    dataset = read(tmp_path, f'{{"{key}": "q1", "query": "a", "relevant": ["x"]}}')
    assert (dataset.queries[0].key, dataset.queries[0].extra, dataset.notes) == ("q1", {}, ())


def test_a_wrong_grade_in_a_list_has_its_line(tmp_path):
    path = tmp_path / "pairs.jsonl"
    line = '{{"query": "{}", "relevant": ["x"], "grades": [{}]}}\n'
    path.write_text(line.format("a", 1) + line.format("b", 9999))
    with pytest.raises(InputError) as caught:
        load(path)
    assert caught.value.where == f"{path}, line 2, grades[0]"
    assert "at most 1,000" in caught.value.problem
