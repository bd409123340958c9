"""Settings of lexical search: what they come to, and which of them change nothing."""

from pathlib import Path

import pytest

from assay.benchmarks.work.job import _read_configuration
from assay.errors import InputError, ProblemsError
from assay.records import Configuration
from assay.searches.configuration.configuration import (
    configuration,
    describe,
    effective,
    problems,
)
from assay.searches.configuration.conflicts import idle
from assay.searches.configuration.word_lists import content_of, fixed, is_one_list, placed
from assay.searches.parts import index_settings, lexical_settings

LEXICAL = {"search": "lexical"}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("syn.txt").write_text("# cars\ncar, automobile\r\nlaptop => notebook\n")
    Path("stop.txt").write_text("\ufeffthe\nof | Snowball's\n# Lucene's\nto be\n")
    return tmp_path


def said(chosen):
    """Return what a report has of it and a file could have."""
    return {name: one for name, one in describe(chosen).items() if name != "chunk_characters"}


def same(one, other):
    return describe(configuration(one)) == describe(configuration(other))


def test_what_is_the_default_is_not_told():
    usual = {"language": "english", "stop_words": "english", "synonyms": None, "fields": None}
    assert configuration(usual) == configuration({}) == Configuration()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"language": "german"}, {"language": "german", "stop_words": "german"}),
        ({"language": "turkish"}, {"language": "turkish", "stop_words": "none"}),
        ({"language": "none"}, {"language": "none", "stop_words": "none"}),
        (
            {"language": "none", "stop_words": "english"},
            {"language": "none", "stop_words": "english"},
        ),
        ({"stop_words": "none"}, {"stop_words": "none"}),
        ({"stop_words": ["the", "of"]}, {"stop_words": ["the", "of"]}),
        ({"fields": {"title": 2}}, {"fields": {"title": 2.0}}),
        (
            {"synonyms": [["car", "auto"], "tv => set"]},
            {"synonyms": ["car, auto", "tv => set"]},
        ),
    ],
)
def test_what_is_told(given, told):
    chosen = configuration({**LEXICAL, **given})
    assert describe(chosen) == {**describe(configuration(LEXICAL)), **told}
    assert effective(chosen) == chosen
    assert configuration(said(chosen)) == chosen


def test_language_is_part_of_an_index_and_the_rest_is_not():
    def held(**given):
        return index_settings(configuration({**LEXICAL, **given}), None)

    assert held(language="german") == {**held(), "language": "german"}
    assert held(fields={"title": 2}, stop_words="none", synonyms=["a, b"]) == held()
    assert held(k1=0.4, b=0) == held(lexical="postings")


def test_an_engine_is_told_all_of_it(files):
    given = {"fields": {"title": 2}, "stop_words": "stop.txt", "synonyms": "syn.txt", "b": 0.5}
    told = lexical_settings(configuration({**LEXICAL, **given, "language": "german"}))

    assert told == {
        **{"k1": 1.2, "b": 0.5, "language": "german"},
        **{"fields": {"title": 2.0}, "code_fields": {"title": 2.0}},
        "stop_words": ("the", "of", "to", "be"),
        "synonyms": ("# cars", "car, automobile", "laptop => notebook"),
    }


def test_a_file_is_known_by_its_content(files):
    chosen = configuration({**LEXICAL, "synonyms": "syn.txt"})
    told = describe(chosen)["synonyms"]
    assert told.startswith("syn.txt@")
    Path("copy").mkdir()
    Path("copy/syn.txt").write_bytes(Path("syn.txt").read_bytes())
    assert same({"synonyms": "copy/syn.txt"}, {"synonyms": "syn.txt"})
    Path("syn.txt").write_text("car, wagon")
    assert describe(configuration({"synonyms": "syn.txt"}))["synonyms"] != told
    with pytest.raises(InputError, match="changed since") as caught:
        lexical_settings(chosen)
    assert caught.value.where == "syn.txt"


def test_a_report_can_be_read_where_the_file_is_not(files):
    told = said(configuration({"synonyms": "syn.txt", "stop_words": "stop.txt"}))
    Path("syn.txt").unlink()
    again = configuration(told)
    assert said(again) == told
    with pytest.raises(InputError, match="not known where"):
        lexical_settings(again)


def test_another_process_reads_the_same_file_from_another_folder(files, monkeypatch):
    chosen = configuration({**LEXICAL, "stop_words": "stop.txt", "synonyms": ["a, b"]})
    from dataclasses import asdict
    from json import dumps, loads

    again = _read_configuration(loads(dumps(asdict(chosen))))
    monkeypatch.chdir("/")
    assert lexical_settings(again) == lexical_settings(chosen)
    assert describe(again) == describe(chosen)


def test_files_stand_beside_the_benchmark(files, monkeypatch):
    monkeypatch.chdir("/")
    assert placed("syn.txt", str(files)) == str(files / "syn.txt")
    for other in ("none", "german", "nowhere.txt", None, ["a", "b"], "a\0b"):
        assert placed(other, str(files)) == other


@pytest.mark.parametrize(
    ("given", "setting"),
    [
        ({"fields": {"title": -1}}, "fields.title"),
        ({"fields": {"titel": 1}}, "fields.titel"),
        ({"fields": {"title": float("nan")}}, "fields.title"),
        ({"fields": {}}, "fields"),
        ({"fields": 2}, "fields"),
        ({"fields": dict.fromkeys(("body", "names", "path", "title"), 0)}, "fields"),
        ({"language": "germna"}, "language"),
        ({"language": ["german"]}, "language"),
        ({"stop_words": "germna"}, "stop_words"),
        ({"stop_words": "turkish"}, "stop_words"),
        ({"stop_words": []}, "stop_words"),
        ({"stop_words": ["the", 1]}, "stop_words"),
        ({"stop_words": ["english", "german"]}, "stop_words"),
        ({"stop_words": True}, "stop_words"),
        ({"stop_words": "nowhere.txt"}, "stop_words"),
        ({"synonyms": "nowhere.txt"}, "synonyms"),
        ({"synonyms": "latin.txt"}, "synonyms"),
        ({"synonyms": "."}, "synonyms"),
        ({"synonyms": [["car"]]}, "synonyms"),
        ({"synonyms": ["car, ???"]}, "synonyms"),
        ({"synonyms": "bad.txt"}, "synonyms"),
        ({"synonyms": {"file": 3}}, "synonyms"),
        ({"stemmer": "german"}, "stemmer"),
    ],
)
def test_what_cannot_be(files, given, setting):
    Path("bad.txt").write_text("a, b\ncar\n")
    Path("latin.txt").write_bytes(b"caf\xe9, cafe\n")
    (found,) = problems({**LEXICAL, **given})
    assert (found.setting, found.idle) == (setting, False)
    assert found.hint
    with pytest.raises(ProblemsError):
        configuration({**LEXICAL, **given})


def test_a_bad_rule_is_named_by_its_line(files):
    Path("bad.txt").write_text("a, b\ncar\n")
    (found,) = problems({"synonyms": "bad.txt"})
    assert "bad.txt, line 2" in found.message


@pytest.mark.parametrize(
    "given",
    [
        {"lexical": "fts5", "synonyms": ["a, b"]},
        {"search": "dense", "language": "german"},
        {"search": "dense", "synonyms": ["a, b"]},
        {"search": "dense", "fields": {"title": 1}},
        {"system": {"kind": "pgvector"}, "language": "german"},
        {"system": {"kind": "lancedb"}, "stop_words": "none"},
        {"system": {"kind": "callable", "function": "m:f"}, "synonyms": ["a, b"]},
    ],
)
def test_what_would_change_nothing(given):
    (name,) = given.keys() - {"search", "lexical", "system"}
    assert {one.setting for one in idle(given) if one.idle} == {name}


def test_a_setting_that_a_store_has_itself_is_its_own():
    (found,) = idle({"system": {"kind": "pgvector"}, "language": "german"})
    assert found.hint == "use system.language"
    (found,) = idle({"system": {"kind": "qdrant"}, "language": "german"})
    assert found.hint == "remove it"


def test_lists_that_are_values_and_lists_of_values():
    words, several = ["the", "of"], ["english", None, "stop.txt"]
    assert is_one_list("stop_words", words)
    assert is_one_list("stop_words", ["english", "the"])
    assert not is_one_list("stop_words", several)
    assert not is_one_list("stop_words", [words, "none"])
    rules = [["car", "auto"], "tv, television", "a => b"]
    assert is_one_list("synonyms", rules)
    assert not is_one_list("synonyms", [None, "syn.txt"])
    assert not is_one_list("synonyms", [rules, ["x, y"]])
    assert not is_one_list("chunk_size", [1, 2])


def test_rules_and_words_of_a_list_have_no_comments():
    assert content_of("stop_words", fixed(["c#", "of"])) == ("c#", "of")
    assert content_of("synonyms", fixed([["c#", "csharp"]])) == ("c#, csharp",)
