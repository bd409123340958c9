import pytest

from assay.benchmarks.queries.query_facts import file_type, file_types_of


@pytest.mark.parametrize(
    ("document", "found"),
    [
        ("src/a.py", "py"),
        ("README.MD", "md"),
        ("archive.tar.gz", "gz"),
        ("a.c++", "c++"),
        ("本/設計.md", "md"),
        ("dir.d/Makefile", "none"),
        (".gitignore", "none"),
        ("src/.env", "none"),
        ("dot.", "none"),
        ("..", "none"),
        ("", "none"),
        ("184", "none"),
        ("10.1000/182.5", "none"),
        ("c:\\docs\\a.TXT", "txt"),
        ("https://host/page.html?v=1.2#top", "html"),
        ("a.averyverylongending", "none"),
        ("a.b c", "none"),
    ],
)
def test_the_extension_is_the_type(document, found):
    assert file_type(document) == found


def test_each_query_has_the_types_of_its_relevant_documents_in_order():
    relevant = {"q1": ["b.py", "a.md", "c.py"], "q2": ["Makefile"], "q3": []}
    assert file_types_of(relevant) == {"q1": ["md", "py"], "q2": ["none"]}


def test_ids_that_are_no_files_have_no_types():
    assert file_types_of({"q1": ["184", "29"], "q2": ["c17"]}) == {}
    assert file_types_of({"q1": ["Washington D.C", "Rome", "Oslo"]}) == {}
    assert file_types_of({}) == {}
    assert file_types_of({"q": []}) == {}
