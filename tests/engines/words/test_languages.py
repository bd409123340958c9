"""Languages: which stemmers and stop words tantivy has, and what becomes of accents."""

import pytest
from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

from assay.engines.words.languages import LANGUAGES, LISTED, NO_LANGUAGE
from assay.engines.words.stop_words import STOP_WORDS, stop_words
from assay.engines.words.tokens import Tokens, tokens_of
from assay.errors import InputError

# All that Snowball has, of which tantivy has some.
SNOWBALL = [
    "arabic", "armenian", "basque", "catalan", "czech", "danish", "dutch", "english", "esperanto",
    "estonian", "finnish", "french", "german", "greek", "hindi", "hungarian", "indonesian", "irish",
    "italian", "lithuanian", "nepali", "norwegian", "persian", "polish", "porter", "portuguese",
    "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "ukrainian",
    "yiddish",
]  # fmt: skip


def has(language, make):
    try:
        TextAnalyzerBuilder(Tokenizer.raw()).filter(make(language)).build()
    except ValueError:
        return False
    return True


def test_the_names_are_those_that_tantivy_has():
    assert [one for one in SNOWBALL if has(one, Filter.stemmer)] == [*LANGUAGES]
    assert [one for one in SNOWBALL if has(one, Filter.stopword)] == [*LISTED]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("english", "retries", "retri"),
        ("none", "retries", "retries"),
        ("german", "Häuser Hauses Straße STRASSEN", "haus haus strass strass"),
        ("german", "Hauser läuft", "haus lauft"),  # the stemmer removes umlauts
        ("french", "chevaux cheval élèves", "cheval cheval élev"),
        ("french", "eleves l'avion", "elev l avion"),  # accents stay
        ("spanish", "canciones canción cancion año", "cancion cancion cancion año"),
        ("swedish", "hästar häst", "häst häst"),
        ("russian", "книги книга", "книг книг"),
        ("turkish", "İstanbul istanbul kitaplar", "istanbul istanbul kitap"),
        ("german", "retryCounts 検索", "retrycount retry count 検 索 検索"),
    ],
)
def test_stems_by_hand(language, text, expected):
    assert Tokens(language)(text).split() == expected.split()
    assert tokens_of(language) is tokens_of(language)


@pytest.mark.parametrize("language", LISTED)
def test_each_list_knows_a_word_of_its_language(language):
    common = {
        **{"danish": "og", "dutch": "het", "english": "the", "finnish": "ja", "french": "les"},
        **{"german": "und", "hungarian": "egy", "italian": "della", "norwegian": "og"},
        **{"portuguese": "uma", "russian": "и", "spanish": "los", "swedish": "och"},
    }
    listed = stop_words(language)
    assert common[language] in listed
    assert "xylophon" not in listed


def test_english_is_our_own_list_and_none_is_empty():
    assert stop_words("english") is STOP_WORDS
    assert "the" not in stop_words(NO_LANGUAGE)


def test_own_words_are_compared_without_case():
    own = stop_words(("The", "D'accord", "CAFÉ"))
    assert {word for word in ("the", "d", "accord", "café", "cafe", "of") if word in own} == {
        *("the", "d", "accord", "café")
    }


@pytest.mark.parametrize(
    ("make", "name"), [(Tokens, "germna"), (stop_words, "germna"), (stop_words, "turkish")]
)
def test_an_unknown_name_is_refused(make, name):
    with pytest.raises(InputError, match=name) as caught:
        make(name)
    assert caught.value.hint
