"""Windows of tokens."""

from assay.corpora.chunkers.fixed import fixed
from assay.records import Document


def texts(text, **settings):
    return [chunk.text for chunk in fixed(**settings)(Document("d", text)).chunks]


def test_by_hand():
    assert texts("one two, three four", chunk_size=2) == ["one two", ", three ", "four"]
    assert texts("one two three four", chunk_size=2) == ["one two ", "three four"]
    assert texts("one two three", chunk_size=2, overlap=1) == ["one two ", "two three"]
    assert texts("a b c d e f", chunk_size=4, overlap=2) == ["a b c d ", "c d e f"]


def test_tokens_by_hand():
    """Eight letters, three digits, a mark, and a character where no spaces part words."""
    assert texts("internationalization", chunk_size=1) == ["internat", "ionaliza", "tion"]
    assert texts("12345 x_y", chunk_size=1) == ["123", "45 ", "x", "_", "y"]
    assert texts("(größe)!", chunk_size=1) == ["(", "größe", ")", "!"]
    assert texts("漢字かな", chunk_size=2) == ["漢字", "かな"]


def test_bytes_and_lines_are_those_of_the_text():
    chunks = fixed(chunk_size=1)(Document("d", "é\r\nü", title="t")).chunks
    assert [(chunk.start, chunk.end, chunk.lines) for chunk in chunks] == [
        (0, 4, (1, 1)),
        (4, 6, (2, 2)),
    ]
    assert {(chunk.kind, chunk.title) for chunk in chunks} == {("text", "t")}


def test_a_counter_of_ones_own():
    def count(text):  # two around each text, as models have them, and one per letter
        return 2 + len(text)

    assert texts("aa bb cc", chunk_size=4, count=count) == ["aa bb ", "cc"]
    assert texts("aaaaaa bb", chunk_size=4, count=count) == ["aaaaaa ", "bb"]
    assert texts("  aaaaaa bb", chunk_size=4, count=count) == ["  aaaaaa ", "bb"]
    assert texts("aaaaaa bb cc", chunk_size=4, overlap=3, count=count) == ["aaaaaa ", "bb cc"]
