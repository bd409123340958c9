import pytest

from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import InputError, ProblemsError
from assay.records import Dataset, Judgment, Query, Rationale, Reference

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
    extra: {owner: {team: physics}}
    tags: [engine]
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
        extra={"tags": ["engine"], "owner": {"team": "physics"}},
    )
    assert second == Query("2", "second", (Judgment(Reference(path="a.py"), 1),))


def test_a_bare_list_and_a_match_for_all(tmp_path):
    bare = "- {id: a, query: b, expected_files: [c]}\n"
    (query,) = read(tmp_path, bare).queries
    assert query.judgments == (Judgment(Reference(path="c", match="substring"), 1),)
    whole = read(tmp_path, f"match: exact\nname: mine\nlicence: CC0\nqueries:\n{bare}")
    assert whole.queries[0].judgments == (Judgment(Reference(path="c"), 1),)
    assert (whole.name, dict(whole.metadata)) == ("mine", {"licence": "CC0"})


def test_queries_without_an_id_go_by_their_text(tmp_path):
    dataset = read(tmp_path, "- query: a\n- query: b\n- query: a\n")
    assert [query.key for query in dataset.queries] == ["a", "b", "a (2)"]
    assert dataset.notes


def test_all_problems_with_their_lines(tmp_path, snapshot):
    text = (
        "queries:\n  - id: a\n    query: yes\n  - id: b\n    expected_files: x.py\n"
        "  - id: a\n    query: 2024-01-01\n    match: fuzzy\n"
        "  - query: 1.5\n    expected_files: [~]\n"
    )
    found = problems(tmp_path, text)
    assert [at for at, _, _ in found] == [
        "line 3, queries[0].query",
        "line 4, queries[1]",
        "line 5, queries[1].expected_files",
        "line 8, queries[2].match",
        "line 9, queries[3].query",
        "line 10, queries[3].expected_files[0]",
    ]
    named = ("yes", '"query"', '"x.py"', '"fuzzy"', "1.5", "~")
    assert all(name in problem for name, (_, problem, _) in zip(named, found, strict=True))
    quoted = ('"yes"', "", "[x.py]", "", '"1.5"', '"~"')
    assert all(hint.endswith(cure) for cure, (_, _, hint) in zip(quoted, found, strict=True))
    snapshot(" | ".join(one) for one in found)


def test_repeated_keys_and_files_are_refused(tmp_path, snapshot):
    text = "- {id: a, query: x, expected_files: [b, b]}\n- {id: a, query: y}\n"
    found = problems(tmp_path, text)
    assert [at for at, _, _ in found] == ["line 1", "line 2"]
    assert '"b"' in found[0][1]
    assert '"a"' in found[1][1]
    snapshot(" | ".join(one) for one in found)


def test_no_list_of_queries(tmp_path):
    for text in ("a\n", "entries: []\n", "queries: {}\n"):
        assert problems(tmp_path, text)


def test_entries_may_be_mappings_with_grades_lines_symbols_and_a_match(tmp_path, snapshot):
    text = """\
corpus: src
queries:
  - id: retry
    query: where are retries configured
    expected_files:
      - retry.py
      - {path: docs/retry.md, grade: 3, lines: [10, 40], reason: the steps}
      - {path: http.py, grade: 1, symbol: Session.send, group: either}
      - {path: client, grade: 1, match: substring}
    expected_symbols:
      - RetryPolicy
      - {symbol: Backoff.next, grade: 2}
      - {symbol: jitter, grade: 0, match: substring}
"""
    dataset = read(tmp_path, text)
    assert dataset.scale == 3
    assert len(dataset.notes) == 1
    snapshot(dataset.notes)
    assert dataset.queries[0].judgments == (
        Judgment(Reference(path="retry.py", match="substring"), 2),
        Judgment(Reference(path="docs/retry.md"), 3, because=Rationale("the steps", (10, 40))),
        Judgment(Reference(path="http.py", symbol="Session.send"), 1, "either"),
        Judgment(Reference(path="client", match="substring"), 1),
        Judgment(Reference(symbol="RetryPolicy", match="substring"), 2),
        Judgment(Reference(symbol="Backoff.next"), 2),
        Judgment(Reference(symbol="jitter", match="substring"), 0),
    )
    assert save(dataset, tmp_path / "again.yaml") == []
    again = load(tmp_path / "again.yaml")
    assert (again.queries, again.scale) == (dataset.queries, 3)


def test_grades_keep_to_the_scale(tmp_path, snapshot):
    one = "queries:\n  - {id: a, query: b, expected_files: [{path: c, grade: %s}, d]}\n"
    assert read(tmp_path, "scale: 5\n" + one % 5).scale == 5
    assert read(tmp_path, "scale: 1\n" + one % 1).queries[0].judgments[1].grade == 1
    ((at, problem, hint),) = problems(tmp_path, one % 4)
    assert at == 'query "a"'
    assert "scale: 4" in hint
    snapshot([problem, hint])
    ((_, problem, _),) = problems(tmp_path, one % '"high"')
    assert '"high"' in problem


@pytest.mark.parametrize(
    ("entry", "named"),
    [
        ("{pth: c}", '"pth"'),
        ("{grade: 1}", '"document_id"'),
        ("{path: c, match: fuzzy}", '"fuzzy"'),
        ("{path: c, lines: [1]}", "[1]"),
        ("7", "7"),
    ],
)
def test_a_wrong_entry_is_refused(tmp_path, entry, named, snapshot):
    found = problems(tmp_path, f"queries:\n  - {{id: a, query: b, expected_files: [{entry}]}}\n")
    assert named in found[0][1]
    snapshot(" | ".join(one) for one in found)


def test_what_is_lost_is_said(tmp_path, snapshot):
    judgments = (
        Judgment(Reference(symbol="f"), 1),
        Judgment(Reference(path="a.py"), 1, because=Rationale("why", judge="eve")),
        Judgment(Reference(path="a.py"), 1),
        Judgment(Reference(path="b.py"), 1),
        Judgment(Reference(), 1),
    )
    lost = save(Dataset("d", (Query("q", "t", judgments),), scale=1), tmp_path / "x.yaml")
    assert len(lost) == 3
    snapshot(lost)
    snapshot((tmp_path / "x.yaml").read_text())


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("expected", "expected_files"),
        ("expectd_files", "expected_files"),
        ("relevant", "expected_files"),
        ("answers", "expected_files"),
        ("relevant-docs", "expected_files"),
        ("expected_answer", "expected_files"),
        ("symbols", "expected_symbols"),
        ("categry", "category"),
    ],
)
def test_an_unknown_key_of_a_query_is_refused_with_a_suggestion(tmp_path, key, meant):
    text = f"queries:\n  - {{id: a, query: b, {key}: [c.py]}}\n"
    ((at, problem, hint),) = problems(tmp_path, text)
    assert at == "line 2, queries[0]"
    assert f'"{key}"' in problem
    assert f'"{meant}"' in hint


def test_an_unknown_key_without_a_likeness_is_refused_with_a_place_for_it(tmp_path, snapshot):
    ((at, problem, hint),) = problems(tmp_path, "- {query: b, zzz: 1}\n")
    assert at == "line 1, [0]"
    assert '"zzz"' in problem
    assert "extra" in hint
    snapshot([problem, hint])
    ((_, problem, hint),) = problems(tmp_path, "macth: exact\nqueries: [{query: b}]\n")
    assert '"macth"' in problem
    assert '"match"' in hint
    snapshot([problem, hint])


@pytest.mark.parametrize(
    "text",
    [
        "- {question: b, expected_files: [c.py], expected_symbols: [Get]}\n",
        "questions:\n- {question: b, expected_files: [c.py], expected_symbols: [Get]}\n",
        "test_queries:\n- {query: b, expected_files: [c.py], expected_symbols: [Get]}\n",
    ],
)
def test_a_query_may_be_called_a_question_and_keeps_its_symbols(tmp_path, text):
    dataset = read(tmp_path, text)
    assert dataset.format == "akashic_yaml"
    assert dataset.queries[0].text == "b"
    assert [one.reference.path or one.reference.symbol for one in dataset.queries[0].judgments] == [
        "c.py",
        "Get",
    ]
    assert dataset.queries[0].extra == {}


def test_two_names_for_one_thing_are_refused(tmp_path, snapshot):
    found = problems(tmp_path, "- {query: a, question: b, expected_files: [c]}\n")
    snapshot(" | ".join(one) for one in found)
    lists = "queries:\n- {query: a, expected_files: [c]}\nquestions:\n- {query: d}\n"
    snapshot(" | ".join(one) for one in problems(tmp_path, lists))


@pytest.mark.parametrize("key", ["answer", "expected_answer"])
def test_only_the_answer_is_told_beside_a_question(tmp_path, key, snapshot):
    ((_, problem, hint),) = problems(tmp_path, f"- question: how\n  {key}: It is so.\n")
    assert f'"{key}"' in problem
    assert '"expected_files"' in hint
    snapshot([problem, hint])


@pytest.mark.parametrize("key", ["files", "file"])
def test_symbols_are_not_lost_beside_files_of_another_name(tmp_path, key):
    text = f"queries:\n- {{query: b, {key}: [c.py], expected_symbols: [Get]}}\n"
    ((_, problem, hint),) = problems(tmp_path, text)
    assert f'"{key}"' in problem
    assert '"expected_files"' in hint


def test_remarks_change_no_score_and_are_kept(tmp_path):
    text = "licence: CC0\nmetadata: {a: 1}\nmatch_weights: true\nqueries: [{query: b, note: x}]\n"
    dataset = read(tmp_path, text)
    assert dict(dataset.metadata) == {"a": 1, "licence": "CC0", "match_weights": True}
    assert dataset.queries[0].extra == {"note": "x"}
    save(dataset, tmp_path / "again.yaml")
    assert "match_weights: true\n" in (tmp_path / "again.yaml").read_text()
    assert load(tmp_path / "again.yaml").metadata == dataset.metadata


def test_any_remark_is_written_where_it_is_read_again(tmp_path):
    extra = {"expected_file": "x", "expected": "y", "category": "z"}
    query = Query("a", "b", (Judgment(Reference(path="c"), 1),), "real", extra=extra)
    save(Dataset("d", (query,), scale=1), tmp_path / "out.yaml")
    assert load(tmp_path / "out.yaml").queries == (query,)


@pytest.mark.parametrize("key", ["relevance", "grades", "ratings", "Label"])
def test_a_grade_in_the_wrong_place_is_told_its_place(tmp_path, key):
    path = tmp_path / "q.yaml"
    path.write_text(f"queries:\n- {{id: a, query: b, expected_files: [c.md], {key}: [3]}}\n")
    with pytest.raises(InputError, match=r"hint: .*\{path: a.md, grade: 3\}"):
        load(path)
    path.write_text(f"queries:\n- {{id: a, query: b, expected_files: [{{path: c, {key}: 3}}]}}\n")
    with pytest.raises(InputError, match=r'hint: .*"grade"'):
        load(path)


def test_several_lines_of_a_file_are_judged_each(tmp_path):
    text = "[{id: q, query: t, expected_files: [{path: a, lines: [1, 2], grade: 3}, %s]}]"
    asked = read(tmp_path, text % "{path: a, lines: [5, 6], grade: 1}")
    assert [one.lines for one in asked.queries[0].judgments] == [(1, 2), (5, 6)]
    save(asked, tmp_path / "again.yaml")
    assert load(tmp_path / "again.yaml").queries == asked.queries
    with pytest.raises(InputError, match=r"duplicate document .a, lines 1-2"):
        read(tmp_path, text % "{path: a, lines: [1, 2], grade: 1}")


@pytest.mark.parametrize("key", ["collection", "repo", "repository"])
def test_a_repository_is_a_collection(tmp_path, key):
    (query,) = read(tmp_path, f"- {{query: b, {key}: click, expected_files: [c.py]}}\n").queries
    assert (query.collection, query.extra) == ("click", {})


def test_a_repository_beside_a_collection_is_refused(tmp_path):
    text = "- {query: b, collection: a, repo: c, expected_files: [c.py]}\n"
    ((_, problem, _),) = problems(tmp_path, text)
    assert problem == "keys with the same meaning: collection, repo"
