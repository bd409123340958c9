"""Small real files of each format, written by hand: what is in them is known to the byte."""

import hashlib
import io
import json
import zipfile
import zlib

PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
IMAGE = b"<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8>>"
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode %d 0 R>>"
PAGE = (
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]"
    b"/Resources<</Font<</F %d 0 R>>/XObject<</I %d 0 R>>>>/Contents %d 0 R>>"
)
# The byte 0xb9 is drawn as one character, and means "ffi".
LIGATURE = (
    b"begincmap 1 begincodespacerange<00><ff>endcodespacerange 2 beginbfrange<20><b8><0020>"
    b"<ba><ff><00ba>endbfrange 1 beginbfchar<b9><006600660069>endbfchar endcmap"
)


class Packed(bytes):
    """The content of a page, compressed already."""


def pdf(*pages, info=None, password=None):
    """Write a PDF: a page is a list of lines (x, y, text), a text, None for an image, or packed."""
    made = _Pdf(password)
    made.add(b"", None)  # the catalogue, which is written last
    made.add(b"", None)  # the pages
    meaning = made.add(b"<<>>", LIGATURE)
    font = made.add(FONT % meaning, None)
    image = made.add(IMAGE, b"\x80")
    kids = [made.add(b"", None) for _ in pages]
    for number, page in zip(kids, pages, strict=True):
        content = made.add(b"<<>>", _content(page))
        made.set(number, PAGE % (font, image, content))
    made.set(1, b"<</Type/Catalog/Pages 2 0 R>>")
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    made.set(2, b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), listed))
    about = b"".join(b"/%s(%s)" % (key.encode(), value.encode("cp1252"))
                     for key, value in (info or {}).items())  # fmt: skip
    return made.bytes(made.add(b"<<%s>>" % about, None))


def _content(page):
    if isinstance(page, Packed):
        return page
    if page is None:
        return b"q 600 0 0 800 0 0 cm /I Do Q"
    lines = [(60, 740 - 16 * at, line) for at, line in enumerate(page.split("\n"))] if isinstance(
        page, str) else page  # fmt: skip
    return b"".join(
        b"BT /F 12 Tf %d %d Td (%s) Tj ET\n" % (x, y, _escaped(text)) for x, y, text in lines
    )


def _escaped(text):
    data = text.replace("\ufb03", "\xb9").encode("cp1252")
    return data.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


class _Pdf:
    """Objects, each with its stream if it has one; encrypted with 40-bit RC4 if there is a key."""

    def __init__(self, password):
        self.objects, self.key, self.id = [], b"", bytes(16)
        if password is not None:
            owner = _rc4(hashlib.md5(PADDING).digest()[:5], _padded(password))
            seed = _padded(password) + owner + (-4).to_bytes(4, "little", signed=True) + self.id
            self.key = hashlib.md5(seed).digest()[:5]
            self.locked = b"<</Filter/Standard/V 1/R 2/O<%s>/U<%s>/P -4>>" % (
                owner.hex().encode(), _rc4(self.key, PADDING).hex().encode())  # fmt: skip

    def add(self, value, stream):
        self.objects.append((value, stream))
        return len(self.objects)

    def set(self, number, value):
        self.objects[number - 1] = (value, None)

    def bytes(self, info):
        out, places = bytearray(b"%PDF-1.4\n"), []
        lock = self.add(self.locked, None) if self.key else 0
        for number, (value, stream) in enumerate(self.objects, 1):
            places.append(len(out))
            out += b"%d 0 obj" % number + self._written(number, value, stream) + b"endobj\n"
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
        out += b"".join(b"%010d 00000 n \n" % place for place in places)
        locked = b"/Encrypt %d 0 R/ID[<%s><%s>]" % (lock, *[self.id.hex().encode()] * 2)
        out += b"trailer<</Size %d/Root 1 0 R/Info %d 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (
            len(places) + 1, info, locked if lock else b"", start)  # fmt: skip
        return bytes(out)

    def _written(self, number, value, stream):
        if stream is None:
            return value
        data = stream if isinstance(stream, Packed) else zlib.compress(stream)
        if self.key:
            seed = self.key + number.to_bytes(3, "little") + bytes(2)
            data = _rc4(hashlib.md5(seed).digest()[:10], data)
        head = value[:-2] + b"/Filter/FlateDecode/Length %d>>" % len(data)
        return head + b"stream\n" + data + b"\nendstream "


def _padded(password):
    return (password.encode() + PADDING)[:32]


def _rc4(key, data):
    box, at = list(range(256)), 0
    for i in range(256):
        at = (at + box[i] + key[i % len(key)]) % 256
        box[i], box[at] = box[at], box[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def zipped(files):
    """Write a ZIP file."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
PROPERTIES = f"{PACKAGE}/relationships/metadata/core-properties"
MAIN = "application/vnd.openxmlformats-officedocument"
KINDS = "application/vnd.openxmlformats-package"
CORE = (
    f'<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>{title}</dc:title>'
    "<dc:creator>Ada Lopez</dc:creator>"
    '<dcterms:created xsi:type="dcterms:W3CDTF">2024-05-31T09:30:00Z</dcterms:created>'
    "</cp:coreProperties>"
)


def _package(parts, main, kind, title):
    """Put the parts of a document together, with their types and links."""
    slides = [name for name in parts if "/slides/" in name]
    types = {main: kind, **dict.fromkeys(slides, f"{MAIN}.presentationml.slide+xml")}
    types |= {"docProps/core.xml": f"{KINDS}.core-properties+xml"}
    named = "".join(f'<Override PartName="/{k}" ContentType="{v}"/>' for k, v in types.items())
    links = [(f"{RELATED}/officeDocument", main), (PROPERTIES, "docProps/core.xml")]
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
            f'<Default Extension="rels" ContentType="{KINDS}.relationships+xml"/>'
            f'<Default Extension="xml" ContentType="application/xml"/>{named}</Types>',
            "_rels/.rels": _relations(*links),
            "docProps/core.xml": CORE.format(title=title),
            **parts,
        }
    )


def _relations(*links):
    written = "".join(
        f'<Relationship Id="r{at}" Type="{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(links, 1)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{written}</Relationships>'


STYLES = f"""<w:styles {W}>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/>
<w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/>
<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>"""


def docx(body, *, title="Handbook"):
    """Write a DOCX with the paragraphs and tables of a body, in WordprocessingML."""
    parts = {
        "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": STYLES,
        "word/_rels/document.xml.rels": _relations((f"{RELATED}/styles", "styles.xml")),
    }
    kind = f"{MAIN}.wordprocessingml.document.main+xml"
    return _package(parts, "word/document.xml", kind, title)


def paragraph(text, style=""):
    """Write a paragraph."""
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{styled}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def table(*rows):
    """Write a table."""
    cells = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


SLIDE = """<p:sld {names}><p:cSld><p:spTree>
<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>{shapes}
</p:spTree></p:cSld></p:sld>"""
SHAPE = """<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{kind}"/><p:cNvSpPr/>
<p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr><p:spPr/>
<p:txBody><a:bodyPr/>{lines}</p:txBody></p:sp>"""
NAMES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    f'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="{RELATED}"'
)


def pptx(*slides, title="Deck"):
    """Write a PPTX: a slide is its title and its lines."""
    numbers = range(1, len(slides) + 1)
    ids = "".join(f'<p:sldId id="{255 + at}" r:id="r{at}"/>' for at in numbers)
    links = [(f"{RELATED}/slide", f"slides/slide{at}.xml") for at in numbers]
    listed = f"<p:sldIdLst>{ids}</p:sldIdLst>"
    parts = {
        "ppt/presentation.xml": f"<p:presentation {NAMES}>{listed}</p:presentation>",
        "ppt/_rels/presentation.xml.rels": _relations(*links),
    }
    for at, (head, *lines) in enumerate(slides, 1):
        shapes = _shape([head], "title", 2) + _shape(lines, "body", 3)
        parts[f"ppt/slides/slide{at}.xml"] = SLIDE.format(names=NAMES, shapes=shapes)
    kind = f"{MAIN}.presentationml.presentation.main+xml"
    return _package(parts, "ppt/presentation.xml", kind, title)


def _shape(lines, kind, number):
    written = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in lines)
    return SHAPE.format(number=number, kind=kind, lines=written)


def ipynb(*cells, language="python", **more):
    """Write a notebook: a cell is a text, or code if it begins with >."""
    entries = [
        {"cell_type": "code", "source": cell[1:].splitlines(keepends=True), "outputs": [
            {"output_type": "stream", "text": ["an output"]}], "execution_count": 1, "metadata": {}}
        if cell.startswith(">") else {"cell_type": "markdown", "source": cell, "metadata": {}}
        for cell in cells
    ]  # fmt: skip
    about = {"kernelspec": {"name": "python3", "language": language}}
    return json.dumps({"nbformat": 4, "metadata": about, "cells": entries, **more}).encode()
