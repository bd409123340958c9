import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.datasets.checks.given import dataset, document, found, judged, query

from assay.datasets.checks._words import words
from assay.records import AuditSettings

TEXT = "returns the sum of all even numbers in a list"


def leaks(text, *documents, settings=None):
    """Return the rows for one query whose gold documents are all of these."""
    made = [document(f"d{at}", held) for at, held in enumerate(documents)]
    asked = dataset(query("q", text, *(judged(one.id) for one in made)))
    options = {"settings": settings} if settings else {}
    return found("leaked", asked, made, **options)


def test_by_hand():
    finding = leaks(TEXT, "nothing", f'def f():\n    """{TEXT.title()}."""\n')
    assert finding.rows == (
        {"query": "q", "document": "d1", "words": 10, "share": 1.0, "overlap": TEXT},
    )
    assert finding.figures == {"share": 1.0, "looked_at": 1}
    assert finding.defects == 1
    assert finding.brief == "1 leaked"


@pytest.mark.parametrize(
    "shape",
    [
        TEXT,
        TEXT.upper(),
        "# Returns the sum of\n#   all even numbers,\n#\n# in a list",
        "/**\n * Returns the sum of all\r\n * even numbers in a list.\r\n */",
        "    <!-- returns the `sum` of\tall “even” numbers, in a list -->",
        "-- returns the sum of all\n-- even numbers in a list",
        "ｒｅｔｕｒｎｓ the sum of all even num\u00adbers in a list",
        f"{'x ' * 5000}{TEXT}{' y' * 5000}",
        "returns the sum of all returns the sum of all even numbers in a list",
    ],
)
def test_no_shape_hides_a_leak(shape):
    assert [row["words"] for row in leaks(TEXT, shape).rows] == [10]


def test_a_large_part_is_enough_and_a_small_one_is_not():
    asked = "please tell me how numbers in a list are summed up in python"  # 13 words
    assert leaks(asked, "me how numbers in a list are summed up in python").rows[0]["words"] == 11
    assert not leaks(asked, "numbers in a list are summed up in python").rows  # 9 of 13 words
    assert not leaks(asked, "please tell me how numbers in. List are summed up in python").rows


@pytest.mark.parametrize(
    ("asked", "held", "leak"),
    [
        ("sort a list", "sort a list", False),  # three words are a phrase
        ("sort a python list", "to sort a Python list", True),
        ("sort a python list", "to sort a Python tuple", False),
        ("how to sort a python list", "to sort a python list", False),  # 5 of 6 words
        ("how to sort a python list fast", "how to sort a python list", True),  # 6 of 7
        ("how to sort a python list fast", "how to sort a python listing", False),
        ("", "anything", False),
        ("?", "?", False),
        ("如何读取文件", "教程:如何读取文件。", False),  # six characters weigh three words
        ("如何读取一个文件", "教程:如何读取一个文件。", True),
    ],
)
def test_where_the_line_is(asked, held, leak):
    assert bool(leaks(asked, held).rows) is leak


def test_the_line_can_be_moved():
    strict = AuditSettings(leaked_whole=2, leaked_share=0.5, leaked_words=2)
    assert leaks("sort a list", "sort a list", settings=strict).rows
    assert leaks("how to sort a list", "to sort a list", settings=strict).rows
    assert not leaks("how to sort a list", "a list", settings=strict).rows


def test_only_documents_that_are_right_are_compared():
    asked = dataset(query("q", TEXT, judged("right"), judged("wrong", 0), judged("pooled", -1)))
    documents = [document("right", "else"), document("wrong", TEXT), document("pooled", TEXT)]
    assert not found("leaked", asked, [*documents, document("other", TEXT)]).rows


def test_a_title_is_read_too():
    asked = dataset(query("q", TEXT, judged("d")))
    assert found("leaked", asked, [document("d", "else", title=TEXT)]).rows


def test_the_share_is_of_the_queries_that_have_a_document():
    asked = dataset(
        query("a", TEXT, judged("d")),
        query("b", "else", judged("d")),
        query("c", TEXT, judged("x")),
    )
    finding = found("leaked", asked, [document("d", TEXT)])
    assert finding.figures == {"share": 0.5, "looked_at": 2}


def test_without_a_corpus_it_says_so():
    finding = found("leaked", dataset(query("q", TEXT, judged("d"))))
    assert "no corpus" in finding.undone
    assert finding.figures["share"] is None


def test_long_queries_against_large_files_are_fast():
    prompt = "\n".join(f"    value_{i} = compute(value_{i - 1}, other[{i}])" for i in range(500))
    rest = "\n".join(f"    value_{i} = compute(value_{i - 1}, else_[{i}])" for i in range(20_000))
    start = time.process_time()
    assert leaks(prompt, f"{rest}\n{prompt}").rows[0]["share"] == 1
    assert not leaks(prompt, rest).rows
    assert time.process_time() - start < 5


def test_fillings_do_not_take_the_square_of_their_length():
    start = time.process_time()
    leaks("0 " * 3000 + "1", "0 " * 300_000)
    assert time.process_time() - start < 10


alphabet = st.lists(st.sampled_from("ab"), max_size=14)


@settings(max_examples=100)
@given(alphabet, alphabet, st.sampled_from([0.3, 0.5, 0.8]))
def test_comparing_every_run_finds_the_same(asked, held, share):
    options = AuditSettings(leaked_whole=2, leaked_share=share, leaked_words=3)
    runs = [asked[i:j] for i in range(len(asked)) for j in range(i + 1, len(asked) + 1)]
    text = f" {' '.join(held)} "
    longest = max((len(run) for run in runs if f" {' '.join(run)} " in text), default=0)
    whole = longest == len(asked) and longest >= 2
    leak = whole or (longest >= 3 and longest >= share * len(asked) - 1e-9)
    rows = leaks(" ".join(asked), " ".join(held), settings=options).rows
    assert [row["words"] for row in rows] == ([longest] if leak else [])


@given(st.text(max_size=60), st.text(max_size=20), st.text(max_size=20))
def test_whatever_is_asked_a_copy_of_it_is_found(text, before, after):
    rows = leaks(text, f"{before}\n{text}\n{after}").rows
    plain = words(text)
    if len(plain) >= 4 and all(word.isascii() for word in plain):
        assert rows[0]["words"] == len(plain)
