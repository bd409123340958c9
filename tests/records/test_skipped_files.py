"""What is told of files that were skipped."""

import pytest

from assay.records.skipped_files import (
    FAILURES,
    SkippedFiles,
    describe_skipped,
    describe_unread,
    join_skipped,
    unread_files,
)


def skipped(**reasons):
    found = SkippedFiles(limit=1_000_000)
    for reason, paths in reasons.items():
        for path in paths:
            found.skip(path, reason)
    return found


def test_files_that_could_not_be_read_are_named_with_their_reason_and_what_next():
    found = skipped(binary=["a.png", "b.ico"], scanned=["s.pdf"], damaged=["x.docx", "y.pptx"])
    assert describe_skipped(found) == (
        "2 files skipped: 1 .ico (binary), 1 .png (binary); 3 files could not be read: x.docx, "
        "y.pptx (damaged), s.pdf (scanned, without text); add text to scanned files, e.g. ocrmypdf "
        "FILE.pdf NEW.pdf; open damaged files in their program and save them again"
    )


@pytest.mark.parametrize("reason", FAILURES)
def test_no_reason_is_hidden_behind_others(reason):
    """However many kinds of files are skipped besides."""
    found = skipped(binary=[f"{n}.x{n}" for n in range(50)], **{reason: ["the one.pdf"]})
    assert "the one.pdf (" in describe_skipped(found)
    assert describe_unread(found).startswith("1 file could not be read: the one.pdf (")


def test_many_files_are_counted_and_listed_for_programs():
    found = skipped(encrypted=[f"{n}.pdf" for n in range(2000)])
    assert "2,000 files could not be read: 0.pdf, 1.pdf, 2.pdf and 1,997 more" in describe_unread(
        found
    )
    assert len(unread_files(found)["unread"]) == 1000
    assert found["encrypted"] == 2000


def test_a_size_that_can_be_raised_is_told_once():
    found = skipped(too_large=["a.pdf", "a.log"])
    assert describe_skipped(found).count("--max-file-size") == 1
    assert describe_unread(found).count("--max-file-size") == 1


def test_nothing_is_told_of_nothing():
    assert (describe_skipped({}), describe_unread(skipped()), unread_files(skipped())) == (
        "",
        "",
        {},
    )
    assert describe_unread(skipped(binary=["a.png"])) == ""


def test_a_name_cannot_write_on_the_screen():
    assert "\x1b" not in describe_skipped(skipped(damaged=["\x1b[2J.pdf"]))


def test_several_places_are_told_together():
    each = {"one": skipped(scanned=["a.pdf"], binary=["b.png"]), "two": skipped(scanned=["a.pdf"])}
    joined = join_skipped(each | {"three": {"binary": 2}})
    assert joined == {"binary": 3, "scanned": 2}
    assert describe_unread(joined).startswith(
        "2 files could not be read: one/a.pdf, two/a.pdf (scanned, without text)"
    )
