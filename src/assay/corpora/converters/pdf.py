"""PDF: the text of each page in reading order, by PDFium, the library of Chromium."""

import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from assay.corpora.converters._shape import ConvertedFile, Converter, UnreadableError
from assay.corpora.converters._text import clean, limited

__all__ = ["pdf"]

NEAR_THE_START = 1024  # bytes in which a PDF begins, as its readers allow
SIGNED = b"%PDF-"
PROPERTIES = {"Author": "author", "Subject": "subject", "Keywords": "keywords"}
DATES = {"CreationDate": "created", "ModDate": "modified"}
STANDARD = {"Title", "Creator", "Producer", "Trapped", *PROPERTIES, *DATES}
NAME = re.compile(rb"/([A-Za-z][\w.-]{0,60})\s*(?:\(|<(?!<))")  # before a text
MOST = 1_000  # names of texts in a file that are looked up
DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?)?")
UNSAID = ("", "untitled", "anonymous", "unspecified")  # what programs write if no property is given
JOINED = "\ufffe"  # what PDFium writes for a hyphen that parts a word at the end of a line


def _convert(data: bytes) -> ConvertedFile:
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        locked = (pdfium.raw.FPDF_ERR_PASSWORD, pdfium.raw.FPDF_ERR_SECURITY)
        raise UnreadableError("encrypted" if error.err_code in locked else "damaged") from None
    pages = list(limited(_text(document, number) for number in range(len(document))))
    scanned = sum(not page and _has_image(document, at) for at, page in enumerate(pages))
    if scanned and not any(pages):
        raise UnreadableError("scanned")
    given = _properties(document.get_metadata_dict(skip_empty=True))
    about = dict(_custom(document, data)) | given
    counted = {"pages": len(pages), **({"pages_without_text": scanned} if scanned else {})}
    return ConvertedFile(pages, about.pop("title", ""), about | counted)


def _text(document: Any, number: int) -> str:  # noqa: ANN401 - the library has no types
    """Return the text of a page; none for one that is damaged."""
    import pypdfium2 as pdfium

    try:
        page = document[number]
    except pdfium.PdfiumError:
        return ""
    with closing(page), closing(page.get_textpage()) as text:
        return clean(text.get_text_bounded().replace(JOINED, ""))


def _has_image(document: Any, number: int) -> bool:  # noqa: ANN401
    import pypdfium2 as pdfium

    try:
        page = document[number]
    except pdfium.PdfiumError:
        return False
    with closing(page):
        return any(page.get_objects(filter=[pdfium.raw.FPDF_PAGEOBJ_IMAGE], max_depth=3))


def _custom(document: Any, data: bytes) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    """Find the properties of names of one's own: PDFium has their values, but does not list them.

    Those of a file that compresses its properties are not found.
    """
    names = dict.fromkeys(found[1].decode("ascii", "ignore") for found in NAME.finditer(data))
    for name in [one for one in names if one not in STANDARD][:MOST]:
        if value := clean(document.get_metadata_value(name)).strip():
            yield name.lower(), value


def _properties(given: dict[str, str]) -> dict[str, Any]:
    found = {name: clean(given[key]) for key, name in PROPERTIES.items() if key in given}
    dates = {name: _date(given[key]) for key, name in DATES.items() if key in given}
    known = {"title": clean(given.get("Title", "")), **found, **dates}
    return {name: one for name, one in known.items() if one.strip("() ").lower() not in UNSAID}


def _date(text: str) -> str:
    """Write a date as ISO 8601 does, as far as it is given; nothing if it is none.

    >>> _date("D:20240531093000+02'00'"), _date("D:2024"), _date("May")
    ('2024-05-31T09:30:00', '2024', '')
    """
    found = DATE.match(text)
    if found is None:
        return ""
    year, month, day, hour, minute, second = found.groups()
    date = "-".join(filter(None, (year, month, day)))
    return f"{date}T{hour}:{minute}:{second or '00'}" if day and hour else date


pdf = Converter(
    summary="PDF: the text of each page in reading order, by PDFium.",
    endings=("pdf",),
    convert=_convert,
    recognises=lambda head: SIGNED in head[:NEAR_THE_START],
    version=2,
    package="pypdfium2",
    module="pypdfium2",
    language="text",
)
