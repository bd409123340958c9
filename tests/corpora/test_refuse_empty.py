"""A corpus without text: what was skipped and what to do, in one message."""

import pytest

from assay.corpora.open_corpus import open_corpus
from assay.corpora.refuse_empty import refuse_empty
from assay.corpora.sources.inline import inline
from assay.errors import InputError
from assay.records import Document


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def refused(where, **settings):
    corpus = open_corpus(where, **settings)
    list(corpus.documents())
    with pytest.raises(InputError) as raised:
        refuse_empty(corpus)
    with pytest.raises(InputError, match=r"no documents|only PDF"):
        refuse_empty(open_corpus(where, **settings), unread=True)
    return raised.value


def test_every_skipped_ending_is_counted_with_its_reason(tmp_path, without_converters):
    files = {f"{number}.pdf": b"%PDF-1.7" for number in range(9)}
    files |= {"a.png": b"\0", "b.png": b"\0", "c.txt": " \n"}
    error = refused(write(tmp_path / "papers", files))
    assert error.where == "papers"
    assert "12 files skipped: 9 .pdf (binary), 2 .png (binary), 1 .txt (empty)" in error.problem
    assert "[documents]" in error.hint


def test_a_folder_of_pdf_files_is_named_as_such(tmp_path):
    error = refused(write(tmp_path, {"a.pdf": b"%PDF-1.7", "b.PDF": b"%PDF-1.7"}))
    assert error.problem.startswith("only PDF files: 2 files skipped")


def test_office_files_and_large_files_have_their_own_hints(tmp_path):
    error = refused(write(tmp_path / "a", {"a.odt": b"PK\x03\x04\0"}))
    assert "soffice" in error.hint
    error = refused(write(tmp_path / "b", {"a.log": "x" * 100}), max_file_size="50B")
    assert "1 .log (larger than 50 bytes)" in error.problem
    assert "--max-file-size" in error.hint
    assert "max_file_size" in error.hint


def test_each_kind_of_file_has_its_own_way_to_text(tmp_path, snapshot):
    files = {"a.docx": b"PK\x03\x04\0", "b.pdf": b"%PDF-1.7", "c.odt": b"PK\0"}
    snapshot(refused(write(tmp_path, files), convert=False).hint)


def test_files_without_text_and_links(tmp_path, snapshot):
    error = refused(write(tmp_path / "blank", {"a.md": "", "b.md": "\n"}))
    assert "2 files skipped: 2 .md (empty)" in error.problem
    snapshot(error.hint)
    write(tmp_path / "real", {"a.md": "text"})
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "docs").symlink_to(tmp_path / "real")
    error = refused(tmp_path / "links")
    assert error.problem == "no documents to index: 1 link skipped"
    snapshot(error.hint)
    corpus = open_corpus(tmp_path / "links" / "docs")
    assert [one.path for one in corpus.documents()] == ["a.md"]  # as the hint says


def test_nothing_that_was_opened(tmp_path):
    (tmp_path / "empty").mkdir()
    assert "no files" in refused(tmp_path / "empty").problem
    place = write(tmp_path / "a", {"a.txt": "text", "b.txt": "text"})
    error = refused(place, include=["*.md"])
    assert "2 entries excluded by patterns" in error.problem
    assert "include and exclude" in error.hint
    error = refused(write(tmp_path / "b", {".gitignore": "*\n", "build/a.md": "text"}))
    assert "git ignores" in error.problem
    assert "build/" in error.hint


def test_a_document_with_text_is_enough(tmp_path):
    corpus = open_corpus(write(tmp_path, {"a.pdf": b"%PDF-1.7", "b.md": "", "c.md": "text"}))
    list(corpus.documents())
    refuse_empty(corpus)
    refuse_empty(corpus, unread=True)


def test_documents_in_memory_need_no_text():
    """References are resolved in ids and paths alone."""
    for documents in ([], [Document(id="a")]):
        corpus = inline(documents)
        list(corpus.documents())
        refuse_empty(corpus)
