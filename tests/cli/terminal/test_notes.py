"""Notes: few lines before the results, all of them where they are asked for."""

from assay.cli.terminal.notes import show_notes
from assay.records import Report, Run


def told(count):
    about = {"name": "b", "metrics": ["ndcg@10"], "primary": "ndcg@10"}
    notes = tuple(f"note {at} " + "and more " * 5 for at in range(count))
    return Report(about, {}, {}, {}, (Run("words", "f", {}),), notes=notes, id="0123456789ab")


def test_notes_beyond_five_lines_are_counted(capsys, snapshot):
    show_notes(told(8), rest="assay show 01234567")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 6
    assert lines[4].startswith("note: note 4 ")
    assert "`assay show 01234567`" in lines[5]
    snapshot(lines)


def test_few_or_all_notes_are_told_whole(capsys):
    show_notes(told(5), rest="assay show 01234567")
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 5
    assert "assay show" not in err
    show_notes(told(8))
    assert len(capsys.readouterr().err.splitlines()) == 8
    show_notes(told(0), rest="assay show 01234567")
    assert capsys.readouterr().err == ""


def test_lines_are_those_of_the_terminal(capsys, monkeypatch, snapshot):
    monkeypatch.setattr("assay.cli.terminal.output._width", lambda _: 40)
    show_notes(told(4), rest="assay show 01234567")
    err = capsys.readouterr().err
    assert err.count("note: note") == 2  # of two lines each
    snapshot(err)
