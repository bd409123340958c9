"""A Python function as a system: its answers, its mistakes, its prints."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from assay.engines.systems.callable import call_function
from assay.errors import InputError
from assay.records import Query


@pytest.fixture
def written(tmp_path):
    """Write a file with a function, and make a system of it."""
    opened = []

    def make(body, *, name="search", head="def search(query, top):", **more):
        (tmp_path / "mine.py").write_text(f"{head}\n    {body}\n", encoding="utf-8")
        system = call_function(function=f"mine.py:{name}", home=str(tmp_path), **more)
        opened.append(system)
        return system

    yield make
    for system in opened:
        system.close()
    assert str(tmp_path) not in sys.path


@pytest.mark.parametrize(
    ("body", "documents", "scores"),
    [
        ("return ['b', 'a']", ["b", "a"], [-1, -2]),
        ("return ('b', 7)", ["b", "7"], [-1, -2]),
        ("return [('b', 2), ['a', 0.5]]", ["b", "a"], [2, 0.5]),
        ("return {'a': 0.5, 'b': 2, 'c': 0.5}", ["b", "a", "c"], [2, 0.5, 0.5]),
        ("return []", [], []),
        ("return {}", [], []),
        ("import numpy as np; return [(np.int64(3), np.float32(0.5))]", ["3"], [0.5]),
        ("return [(query, top)]", ["ä badge", "x"][:1], [3]),
        ("return [('near', 0.1), ('far', 0.9)]", ["near", "far"], [-1, -2]),
    ],
)
def test_what_a_function_may_return(written, query, body, documents, scores):
    system = written(body)
    replied = system.search(query("ä badge"), 3)
    assert list(replied.documents) == documents
    assert replied.scores.tolist() == scores
    assert bool(system.notes) == ("near" in body)


@pytest.mark.parametrize(
    ("body", "fact"),
    [
        ("return None", "returned None"),
        ("pass", "returned None"),
        ("return 'a'", " text"),
        ("return 5", " int"),
        ("return {'a', 'b'}", " set"),
        ("return (x for x in 'ab')", " generator"),
        ("return [None]", "result 1 "),
        ("return [True]", "result 1 "),
        ("return [('a', 1, 2)]", '["a", 1, 2]'),
        ("return [('a', 'high')]", "result 1 "),
        ("return {'a': float('nan')}", "nan"),
        ("return {'a': None}", "score"),
        ("return [('a', 1), 'b']", "1 of 2 "),
        ("return [{'path': 'a', 'score': 1}]", "(path, score)"),
    ],
)
def test_what_it_may_not_return(written, query, snapshot, body, fact):
    with pytest.raises(InputError, match=r"mine\.py:search") as caught:
        written(body).search(query(), 3)
    assert fact in caught.value.problem
    snapshot([caught.value.problem, caught.value.hint])


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("x = 1\n    raise ValueError('too bad')", "mine.py:3: ValueError: too bad"),
        ("return [][1]", "mine.py:2: IndexError: list index out of range"),
        ("import sys; sys.exit(3)", "mine.py:2: SystemExit: 3"),
        ("return int('x')", "mine.py:2: ValueError"),
        ("return search(query, top)", "mine.py:2: RecursionError"),
    ],
)
def test_what_it_raises_belongs_to_that_query(written, query, body, says):
    system = written(body)
    for _ in range(2):
        with pytest.raises(InputError) as caught:
            system.search(query(), 3)
        assert caught.value.problem.startswith(says)


def test_an_interrupt_is_no_answer(written, query):
    with pytest.raises(KeyboardInterrupt):
        written("raise KeyboardInterrupt").search(query(), 3)


def test_the_id_is_given_to_those_who_ask_for_it(written, query):
    for head in ("def search(query, top, id):", "def search(query, top, *, id=None):"):
        replied = written("return [id]", head=head).search(query(key="q7"), 3)
        assert replied.documents == ["q7"]
    replied = written("return sorted(more) + ['x']", head="def search(query, top, **more):")
    assert replied.search(query(), 3).documents == ["x"]


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("def search(query):", "positional argument"),  # Python says so
        ("def search(*, top):", "positional argument"),
        ("def search(query, top, more, /):", "'more'"),
        ("def serch(query, top):", '"search"'),
        ("search = 3\ndef other():", '"search"'),
        ("def search(query, top)", "syntax error"),
        ("import no_such_module\ndef search(query, top):", "No module named"),
        ("1 / 0\ndef search(query, top):", "ZeroDivisionError"),
        ("import sys\nsys.exit()\ndef search(query, top):", "SystemExit"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_of_when_it_is_loaded(written, head, says):
    before = list(sys.path)
    with pytest.raises(InputError) as caught:
        written("return []", head=head)
    error = caught.value
    assert says in error.problem
    assert error.where
    assert error.hint
    assert sys.path == before


def test_an_error_while_loading_has_its_line(written):
    with pytest.raises(InputError) as caught:
        written("return []", head="x = 1\n1 / 0\ndef search(query, top):")
    assert caught.value.where == "mine.py:2"
    with pytest.raises(InputError) as caught:
        written("return [", head="def search(query, top):")
    assert "mine.py, line 2" in caught.value.where


@pytest.mark.parametrize("given", ["", "search", ":search", "mine.py:", None, 5, ["a:b"]])
def test_a_function_is_named_by_file_and_name(given):
    with pytest.raises(InputError, match=r"FILE\.py:FUNCTION"):
        call_function(function=given)


def test_files_and_modules_that_are_not_there(tmp_path, snapshot):
    with pytest.raises(InputError) as caught:
        call_function(function="gone.py:search", home=str(tmp_path))
    assert caught.value.where == str(tmp_path / "gone.py")
    snapshot(caught.value)
    for name in ("no_such_package:search", "json.no_such_module:search"):
        with pytest.raises(InputError) as caught:
            call_function(function=name)
        snapshot(caught.value)


def test_a_function_of_an_installed_module():
    system = call_function(function="difflib:get_close_matches")
    system.close()
    assert system.concurrency == 1


def test_a_module_beside_the_file(tmp_path, query):
    (tmp_path / "beside_me").mkdir()
    (tmp_path / "beside_me" / "__init__.py").write_text("")
    (tmp_path / "beside_me" / "it.py").write_text("def find(query, top):\n    return [query]\n")
    system = call_function(function="beside_me.it:find", home=str(tmp_path))
    assert system.search(query("x"), 1).documents == ["x"]
    system.close()
    assert str(tmp_path) not in sys.path


def test_closing_one_leaves_the_folder_to_the_other(tmp_path, query):
    (tmp_path / "later_on.py").write_text("ids = ['x']\n")
    text = "def {}(query, top):\n    from later_on import ids\n    return ids\n"
    (tmp_path / "two.py").write_text(text.format("one") + text.format("other"))
    first, second = (
        call_function(function=f"two.py:{name}", home=str(tmp_path)) for name in ("one", "other")
    )
    first.close()
    assert second.search(query(), 1).documents == ["x"]
    second.close()
    assert str(tmp_path) not in sys.path


def test_it_may_import_what_stands_beside_it_even_later(tmp_path, query):
    (tmp_path / "words_of_mine.py").write_text("ids = ['x']\n")
    text = "def search(query, top):\n    from words_of_mine import ids\n    return ids\n"
    (tmp_path / "late.py").write_text(text)
    system = call_function(function="late.py:search", home=str(tmp_path))
    assert system.search(query(), 1).documents == ["x"]
    system.close()


def test_a_module_is_loaded_once_until_it_changes(tmp_path, query):
    text = "calls = []\ndef search(query, top):\n    calls.append(1)\n    return [len(calls)]\n"
    (tmp_path / "one.py").write_text(text)
    make = lambda: call_function(function="one.py:search", home=str(tmp_path))  # noqa: E731
    first, second = make(), make()
    assert first.search(query(), 1).documents == ["1"]
    assert second.search(query(), 1).documents == ["2"]
    (tmp_path / "one.py").write_text(text + "# changed\n")
    third = make()
    assert third.search(query(), 1).documents == ["1"]
    assert first.fingerprint == second.fingerprint != third.fingerprint
    for system in (first, second, third):
        system.close()


def test_what_it_prints_goes_to_stderr(written, query, capsys):
    head = "print('loading')\ndef search(query, top):"
    written("print('searching'); return []", head=head).search(query(), 1)
    print("ours")  # noqa: T201
    out, err = capsys.readouterr()
    assert out == "ours\n"
    assert err == "loading\nsearching\n"


def test_threads_that_print_leave_stdout_as_it_was(written, query, capsys):
    body = "time.sleep(int(query) % 7 / 1000); print('x'); return [query]"
    system = written(body, head="import time\ndef search(query, top):", concurrency=8)
    before = sys.stdout
    start = threading.Barrier(8)

    def ask(at):
        if at < 8:
            start.wait(5)
        return system.search(query(str(at)), 1).documents

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(100))) == [[str(at)] for at in range(100)]
    assert sys.stdout is before
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("concurrency", [0, True, "4", 1000])
def test_concurrency_is_a_number(written, concurrency):
    with pytest.raises(InputError, match="concurrency"):
        written("return []", concurrency=concurrency)


@pytest.mark.parametrize("named", ["../mine.py", "{outside}/mine.py", "link.py"])
def test_a_file_outside_of_the_benchmark_is_refused_unless_allowed(tmp_path, monkeypatch, named):
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "mine.py").write_text("def search(query, top):\n    return [query]\n")
    (home / "link.py").symlink_to(tmp_path / "mine.py")
    asked = {"function": f"{named.format(outside=tmp_path)}:search", "home": str(home)}
    monkeypatch.delenv("ASSAY_ALLOW_OUTSIDE", raising=False)
    with pytest.raises(InputError, match="outside") as caught:
        call_function(**asked)
    assert "ASSAY_ALLOW_OUTSIDE" in caught.value.hint
    monkeypatch.setenv("ASSAY_ALLOW_OUTSIDE", "1")
    with closing(call_function(**asked)) as system:
        assert system.search(Query("q", "a"), 1).documents == ["a"]


def test_filters_that_a_function_does_not_take_get_a_note(written):
    queries = [Query(key, key, variables={"filters": {"a": 1}}) for key in ("q1", "q2")]
    for head, ignored in {
        "def search(query, top):": 2,
        "def search(query, top, **more):": 2,
        "def search(query, top, filters=None):": 0,
    }.items():
        system = written("return ['a']", head=head)
        for query in (*queries, Query("q3", "without")):
            system.search(query, 3)
        assert [f"filters of {ignored} queries are ignored" in note for note in system.notes] == (
            [True] if ignored else []
        )
