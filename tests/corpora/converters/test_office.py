"""DOCX and PPTX: all that is written in them, once and in order."""

import io
import zipfile

import pytest
from tests.corpora.converters.made_files import docx, paragraph, pptx, table, zipped

from assay.corpora.converters._shape import UnreadableError
from assay.corpora.converters.docx import docx as word
from assay.corpora.converters.pptx import pptx as power

pytest.importorskip("office_oxide")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
LOCKED = OLE + "EncryptedPackage".encode("utf-16-le")
RUN = "<w:r><w:t>today</w:t></w:r>"
ABOUT = {"author": "Ada Lopez", "created": "2024-05-31T09:30:00Z"}


def unzipped(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def text(body):
    (page,) = word.convert(docx(body)).pages
    return page


def test_by_hand():
    body = paragraph("Pump", "Heading1") + paragraph("Größe: 12.")
    body += paragraph("Torque", "Heading2") + table(["Part", "Nm"], ["valve", "12"])
    found = word.convert(docx(body))

    assert list(found.pages) == [
        "# Pump\n\nGröße: 12.\n\n## Torque\n\n| Part | Nm |\n| valve | 12 |"
    ]
    assert (found.title, found.metadata) == ("Handbook", ABOUT)  # no pages: nobody knows them


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (f"<w:sdt><w:sdtContent>{paragraph('in a form')}</w:sdtContent></w:sdt>", "in a form"),
        ("<w:p><w:ins w:id='1'><w:r><w:t>added</w:t></w:r></w:ins></w:p>", "added"),
        ("<w:p><w:del w:id='1'><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>", ""),
        ("<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>", "a\tb\nc"),
        (f"<w:p><w:fldSimple w:instr='DATE'>{RUN}</w:fldSimple></w:p>", "today"),
        (paragraph("a &lt;b&gt; &amp; c"), "a <b> & c"),
    ],
)  # fmt: skip
def test_what_word_wraps_text_in(body, words):
    assert text(body) == words


def test_slides():
    found = power.convert(pptx(("First", "one", "two"), ("Zweite", "Größe")))

    assert list(found.pages) == ["## First\n\none\n\ntwo", "## Zweite\n\nGröße"]
    assert (found.title, found.metadata) == ("Deck", {**ABOUT, "pages": 2})


def reason(converter, data):
    with pytest.raises(UnreadableError) as caught:
        converter.convert(data)
    return caught.value.reason


@pytest.mark.parametrize("converter", [word, power], ids=["docx", "pptx"])
def test_files_without_text_that_can_be_had(converter):
    whole = docx(paragraph("text")) if converter is word else pptx(("a", "b"))
    assert reason(converter, LOCKED) == "encrypted"  # as Office stores what has a password
    assert reason(converter, OLE) == "damaged"  # a file of Word 97 that was renamed
    assert reason(converter, whole[: len(whole) // 2]) == "damaged"
    assert reason(converter, zipped({"a.txt": "not a document"})) == "damaged"
    assert reason(converter, b"PK\x03\x04" + bytes(100)) == "damaged"


def test_a_bomb_is_not_unpacked():
    files = unzipped(docx(paragraph("BOMB")))
    files["word/document.xml"] = files["word/document.xml"].replace(b"BOMB", b"a" * 600_000_000)
    packed = zipped(files)
    assert len(packed) < 1_000_000

    assert reason(word, packed) == "too_long"


def test_entities_are_not_expanded():
    entities = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    files = unzipped(docx(paragraph("start &amp;b; end")))
    body = files["word/document.xml"].replace(b"&amp;b;", b"&b;")
    files["word/document.xml"] = entities.encode() + body

    (page,) = word.convert(zipped(files)).pages

    assert "aaaa" not in page


def test_custom_properties_are_metadata():
    schema = "http://schemas.openxmlformats.org/officeDocument/2006"
    own = f"""<Properties xmlns="{schema}/custom-properties" xmlns:vt="{schema}/docPropsVTypes">
        <property fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="2" name="Product">
        <vt:lpwstr>badge</vt:lpwstr></property></Properties>"""
    parts = unzipped(docx(paragraph("text")))
    kind = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
    named = f'<Override PartName="/docProps/custom.xml" ContentType="{kind}"/></Types>'
    link = f'<Relationship Id="own" Type="{schema}/relationships/custom-properties" '
    link += 'Target="docProps/custom.xml"/></Relationships>'
    types, links = "[Content_Types].xml", "_rels/.rels"
    parts[types] = parts[types].replace(b"</Types>", named.encode())
    parts[links] = parts[links].replace(b"</Relationships>", link.encode())

    found = word.convert(zipped({**parts, "docProps/custom.xml": own}))
    assert found.metadata == {"product": "badge", **ABOUT}
