"""Files that are converted: what their documents are, and what is told of those that are none."""

import hashlib
import subprocess

import pytest
from tests.corpora.converters.made_files import docx, ipynb, paragraph, pdf, pptx

from assay.corpora.convert import PAGE
from assay.corpora.converters.pdf import pdf as converter
from assay.corpora.fingerprint import fingerprint
from assay.corpora.sources import _read_document
from assay.corpora.sources import folder as folder_module
from assay.corpora.sources.folder import GRAIN, folder
from assay.corpora.sources.git import git
from assay.errors import InputError
from assay.records import Dataset, Judgment, Query, Reference
from assay.reports.resolutions.json import json as resolution_json
from assay.reports.resolutions.unresolved import unresolved
from assay.workflows.resolve import resolve

pytest.importorskip("pypdfium2")
pytest.importorskip("office_oxide")
pytest.importorskip("selectolax")
FILES = {
    "a.pdf": pdf("one", "two", info={"Title": "T", "Author": "Ada"}),
    "b.docx": docx(paragraph("words")),
    "c.pptx": pptx(("slide", "line")),
    "d.html": b"<html lang=de><title>Seite</title><p>gr&uuml;n",
    "e.ipynb": ipynb("# cell"),
    "f.md": b"plain",
    "g.pdf": pdf("hidden", password="secret"),
    "h.pdf": pdf(None),
    "i.docx": b"PK\x03\x04\0 broken",
    "j.pdf": b"version https://git-lfs.github.com/spec/v1\n",
    "k.ipynb": b"{no notebook",
    "l.docm": docx(paragraph("macros")),
    "m.docx": pdf("a PDF file that was renamed"),
}
TEXTS = {
    "a.pdf": f"one{PAGE}two",
    "b.docx": "words",
    "c.pptx": "## slide\n\nline",
    "d.html": "grün",
    "e.ipynb": "# cell",
    "f.md": "plain",
    "j.pdf": "version https://git-lfs.github.com/spec/v1\n",
    "k.ipynb": "{no notebook",
    "l.docm": "macros",
}  # what is no PDF and no notebook is text as it is
SKIPPED = {"encrypted": 1, "scanned": 1, "damaged": 2}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Files of each kind, old enough to be stamped."""
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    real = folder_module.time.time_ns
    monkeypatch.setattr(folder_module.time, "time_ns", lambda: real() + 2 * GRAIN)
    return tmp_path


def texts(corpus, **asked):
    return {one.id: one.text for one in corpus.documents(**asked)}


def test_by_hand(place):
    corpus = folder(place)
    found = {one.id: one for one in corpus.documents()}

    assert {name: one.text for name, one in found.items()} == TEXTS
    assert dict(corpus.skipped) == SKIPPED
    first = found["a.pdf"]
    assert first.content_hash == hashlib.sha256(FILES["a.pdf"]).hexdigest()
    assert (first.title, first.metadata) == ("T", {"author": "Ada", "pages": 2})
    assert (first.converter, first.language) == (converter.name, "text")
    assert first.size_bytes == len(FILES["a.pdf"])
    assert (found["d.html"].title, found["d.html"].metadata) == ("Seite", {"language": "de"})
    assert (found["f.md"].converter, found["k.ipynb"].converter) == ("", "")


def test_a_repository_holds_the_same(place, monkeypatch):
    for word in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "-C", str(place), *identity, *word], check=True)
    corpus = git(place)
    assert texts(corpus) == TEXTS
    assert dict(corpus.skipped) == SKIPPED
    assert fingerprint(corpus) == fingerprint(folder(place))
    known = {one.id: one.stamp for one in corpus.documents()} | corpus.skipped.failures
    monkeypatch.setattr(_read_document, "convert", None)  # nothing is converted again
    assert set(texts(git(place), known=known).values()) == {""}
    again = git(place)
    assert [*again.documents(known=known)]
    assert dict(again.skipped) == SKIPPED


def test_what_is_known_is_not_converted_again(place, monkeypatch):
    corpus = folder(place)
    known = {one.id: one.stamp for one in corpus.documents()} | corpus.skipped.failures
    assert {*corpus.skipped.failures} == {"g.pdf", "h.pdf", "i.docx", "m.docx"}
    monkeypatch.setattr(_read_document, "convert", None)

    again = folder(place)

    assert set(texts(again, known=known).values()) == {""}
    assert dict(again.skipped) == SKIPPED
    assert again.skipped.failures == corpus.skipped.failures


def test_another_version_of_the_library_converts_again(place, monkeypatch):
    before = {one.id: one for one in folder(place).documents()}
    known = {name: one.stamp for name, one in before.items()}
    named = fingerprint(folder(place))
    monkeypatch.setitem(converter.__dict__, "name", "pdf 1 pypdfium2 99")

    read = {one.id for one in folder(place).documents(known=known) if one.text}

    assert read == {"a.pdf", "j.pdf"}
    assert fingerprint(folder(place)) != named


def test_nothing_is_converted_on_request(place, without_converters):
    off = texts(folder(place, convert=False))
    assert off == texts(folder(place))  # as without the extra
    assert {*off} == {"d.html", "e.ipynb", "f.md", "j.pdf", "k.ipynb"}
    assert off["d.html"] == FILES["d.html"].decode()
    with pytest.raises(InputError, match="convert"):
        folder(place, convert="yes")


def test_names_alone_need_no_conversion(place, monkeypatch):
    monkeypatch.setattr(_read_document, "convert", None)
    corpus = folder(place)
    names = [one.id for one in corpus.documents(texts=False, hashes=False)]
    assert {*names} == {*FILES} - {"m.docx"}  # its first bytes are enough


def test_a_file_with_images_may_be_larger_than_a_text(tmp_path):
    (tmp_path / "a.pdf").write_bytes(pdf("some text"))
    (tmp_path / "b.txt").write_text("x" * 100)
    assert 1000 < (tmp_path / "a.pdf").stat().st_size < 2000
    assert {*texts(folder(tmp_path, max_file_size=100))} == {"a.pdf", "b.txt"}
    assert {*texts(folder(tmp_path, max_file_size=99))} == {"a.pdf"}
    corpus = folder(tmp_path, max_file_size=10)
    assert texts(corpus) == {}
    assert corpus.skipped.parts() == [
        "1 .pdf (larger than 1 KB)",
        "1 .txt (larger than 10 bytes)",
    ]


def test_a_file_without_any_text_is_an_empty_document(tmp_path):
    (tmp_path / "a.pdf").write_bytes(pdf(""))
    corpus = folder(tmp_path)
    assert texts(corpus) == {"a.pdf": ""}
    assert corpus.skipped.empty == {".pdf": 1}


def test_references_are_resolved_as_a_search_reads_the_files(place):
    """A file that cannot be read is missing, although it is there."""
    judged = tuple(Judgment(Reference(path=path), 1) for path in FILES)
    found = resolve(Dataset("d", (Query("q", "text", judged),)), place)
    assert (found.documents, found.missing) == (len(TEXTS), len(FILES) - len(TEXTS))
    lost = [line for line, _ in unresolved(found)]
    assert lost[0] == 'query "q": path "g.pdf" could not be read (encrypted)'
    assert resolution_json(found)["unread"] == dict(found.skipped.unread)
    assert {*found.skipped.unread} == {*FILES} - {*TEXTS}
