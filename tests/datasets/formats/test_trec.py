import pytest

from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Dataset, Judgment, Query, Reference

QRELS = "301 0 d1 1\n301 0 d2 0\n302 0 d3 2\n"
CLASSIC = """
<top>

<num> Number: 301
<title> International
Organized Crime

<desc> Description:
Identify organizations &amp; R&D, x < y <b>bold</b>.

<narr> Narrative:
A relevant document must as a minimum
identify the organization.

</top>

<top>
<num> Number: 302
<title> Poliomyelitis
</top>
"""


def folder(tmp_path, topics, qrels=QRELS, name="topics.txt"):
    (tmp_path / name).write_text(topics)
    (tmp_path / "qrels.txt").write_text(qrels)
    return tmp_path


def judgment(name, grade, group=""):
    return Judgment(Reference(document_id=name), grade, group)


def test_classic_topics_with_unclosed_tags(tmp_path):
    dataset = load(folder(tmp_path, CLASSIC))
    assert dataset.scale == 2
    assert dataset.queries == (
        Query(
            "301",
            "International Organized Crime",
            (judgment("d1", 1), judgment("d2", 0)),
            extra={
                "desc": "Identify organizations & R&D, x < y <b>bold</b>.",
                "narr": "A relevant document must as a minimum identify the organization.",
            },
        ),
        Query("302", "Poliomyelitis", (judgment("d3", 2),)),
    )


@pytest.mark.parametrize(
    "topics",
    [
        "<top><num>301</num><title>a b</title></top><top><num>302</num><title>c</title></top>",
        '<?xml version="1.0"?>\n<!-- x -->\n<topics>\n<topic number="301" type="faceted">\n'
        "<query>a\n b</query>\n</topic><topic number='302'><title> c </title></topic></topics>",
        "301\ta b\n302\tc\n",
        "301\ta b\r\n\r\n302\tc\r\n",
        "<TOP><NUM>Number: 301<TITLE>Topic: a b<TOP><NUM>302<TITLE>c",
    ],
)
def test_other_forms(topics, tmp_path):
    queries = load(folder(tmp_path, topics)).queries
    assert [(query.key, query.text) for query in queries] == [("301", "a b"), ("302", "c")]


def test_further_fields_of_xml(tmp_path):
    text = (
        '<topics><topic number="301"><query>q</query><description>d</description><narrative>n'
        '</narrative><subtopic number="1">s1</subtopic><subtopic number="2">s2</subtopic></topic>'
        '<topic number="302"><title>&lt;t&gt; &#x41;&#66; &#xD800; &nbsp;</title></topic></topics>'
    )
    first, second = load(folder(tmp_path, text, name="topics.xml")).queries
    assert first.extra == {"desc": "d", "narr": "n", "subtopic": ["s1", "s2"]}
    assert second.text == "<t> AB &#xD800; &nbsp;"


def test_a_lone_file_of_qrels(tmp_path, snapshot):
    path = tmp_path / "qrels.test"
    path.write_text(QRELS)
    dataset = load(path)
    assert [(query.key, query.text) for query in dataset.queries] == [("301", ""), ("302", "")]
    assert len(dataset.notes) == 1
    snapshot(dataset.notes)


def test_subtopics_become_groups(tmp_path):
    qrels = "301 1 d1 1\n301 2 d1 1\n301 2 d2 1\n302 1 d3 1\n"
    first, _ = load(folder(tmp_path, CLASSIC, qrels), subtopics=True).queries
    assert [one.reference.document_id for one in first.judgments] == ["d1", "d1", "d2"]
    groups = [one.group for one in first.judgments]
    assert groups[1] == groups[2] != groups[0]


@pytest.mark.parametrize(
    ("topics", "problem"),
    [
        ('<!DOCTYPE x [<!ENTITY a "b">]><topics/>', "line 1: "),
        ("<top><title>x</top>", "line 1: "),
        ("<top><num>301</top>", "line 1: "),
        ("301 x\n", "line 1: "),
        ("<top><num>1<title>x</top>\n<top><num>1<title>y</top>", 'line 2: duplicate query key "1"'),
        ("<top><num>7<title>x</top>", 'topics.txt: "301"'),
    ],
)
def test_problems(topics, problem, tmp_path, snapshot):
    with pytest.raises(InputError) as caught:
        load(folder(tmp_path, topics), format="trec")
    assert problem in str(caught.value)
    assert caught.value.hint
    snapshot(caught.value)


def test_which_of_several_files_is_meant_is_asked(tmp_path):
    folder(tmp_path, CLASSIC)
    (tmp_path / "qrels.2").write_text(QRELS)
    with pytest.raises(InputError, match=r"qrels.2, qrels.txt"):
        load(tmp_path)


def test_ids_with_spaces_cannot_be_written(tmp_path):
    dataset = Dataset("x", (Query("a b", "t", (judgment("c d", 1),)),))
    with pytest.raises(InputError, match="2 problems"):
        save(dataset, tmp_path / "out", format="trec")
    assert not (tmp_path / "out").exists()
