"""Every family keeps its promise: known truth, seeded bytes, and the property that names it."""

import hashlib
import itertools
import json
import re
from functools import cache

import pytest

from assay import catalogue
from assay.datasets import families
from assay.datasets.families._notes import PASSING, TITLES, Note, fresh
from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families._sentences import CHATTER, MONTHS, PEOPLE, PLACES, WEEKDAYS
from assay.datasets.families.cross_domain import cross_domain
from assay.datasets.families.exact_match import exact_match
from assay.datasets.families.lexicon import vocabulary
from assay.datasets.families.lexicon.vocabulary import everyday, homonyms
from assay.datasets.families.long_documents import long_documents
from assay.datasets.families.semantic_similarity import semantic_similarity
from assay.datasets.families.short_queries import short_queries
from assay.errors import InputError

TEXT = (cross_domain, exact_match, long_documents, semantic_similarity, short_queries)
SEEDS = (0, 1)
EVERYDAY, HOMONYMS = everyday(), homonyms()
SLOTS = re.compile(r"\\\{(person|other|month|day|place|amount)\\\}")
STOP = {
    *("a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can"),
    *("could", "did", "do", "does", "for", "from", "get", "had", "has", "have", "how", "i", "if"),
    *("in", "is", "it", "its", "me", "my", "no", "not", "of", "off", "on", "one", "or", "our"),
    *("out", "should", "so", "than", "that", "the", "their", "then", "there", "they", "this"),
    *("to", "too", "until", "up", "was", "we", "were", "what", "when", "where", "which", "while"),
    *("who", "why", "will", "with", "us", "you", "your"),
}


@cache
def made(family, seed=0):
    return family(seed=seed).dataset


def texts(dataset):
    return {note.id: f"{note.title}\n{note.text}" for note in dataset.documents}


def grades(query):
    return {judgment.reference.document_id: judgment.grade for judgment in query.judgments}


def relevant(query):
    return {name for name, grade in grades(query).items() if grade > 0}


@cache
def sayings(matter):
    """Every way in which a matter can be told, as one pattern: read from the lexicon alone."""
    forms = [(form, matter.topic.asked) for form in matter.event.plain]
    forms += [(form, matter.topic.told) for form in matter.event.told]
    return re.compile("|".join(_pattern(form, topic) for form, topic in forms), re.IGNORECASE)


def _pattern(form, topic):
    literal = re.escape(form).replace(r"\{x\}", re.escape(f"the {topic}"))
    return r"\b" + SLOTS.sub(r"[^.]{1,30}?", literal)


@cache
def telling(family, seed, matter):
    """Which documents tell a matter, found by reading their texts."""
    return {
        name for name, line in naming(family, seed, matter.topic) if sayings(matter).search(line)
    }


@cache
def naming(family, seed, topic):
    """Which lines name a topic; reading only these keeps the test short."""
    names = re.compile(rf"\b({topic.asked}|{topic.told})\b", re.IGNORECASE)
    asked, told = topic.asked.lower(), topic.told.lower()
    return [
        (name, line)
        for name, line, small in lines(family, seed)
        if (asked in small or told in small) and names.search(line)
    ]


@cache
def lines(family, seed):
    """Every line with its document and in small letters, in which words are found quickly."""
    notes = texts(made(family, seed)).items()
    return [(name, line, line.lower()) for name, text in notes for line in text.split("\n")]


def of(query, matters):
    """The matters that a query asks for, by what its extra says."""
    topic, event = query.extra["topic"], query.extra.get("event")
    return [
        matter
        for matter in matters
        if matter.topic.asked == topic
        and matter.domain.name == query.category
        and event in (None, matter.event.name)
    ]


@pytest.mark.parametrize("family", TEXT)
@pytest.mark.parametrize("seed", SEEDS)
def test_each_query_has_every_grade_and_each_document_is_different(family, seed):
    dataset = made(family, seed)
    alone = [query for query in dataset.queries if "event" not in query.extra]
    for query in dataset.queries:
        want = {0, 2, 3} if family is short_queries and query in alone else {0, 1, 2, 3}
        assert set(grades(query).values()) == want, query
        assert len(grades(query)) == len(query.judgments)  # no document twice
    assert len({note.text for note in dataset.documents}) == len(dataset.documents)
    assert len({note.id for note in dataset.documents}) == len(dataset.documents)
    assert len({query.text for query in dataset.queries}) == len(dataset.queries)
    assert len({query.key for query in dataset.queries}) == len(dataset.queries)


@pytest.mark.parametrize("family", TEXT)
def test_one_seed_gives_the_same_again_and_another_one_does_not(family):
    assert repr(family(seed=5)) == repr(family(seed=5))
    assert made(family, 0) != made(family, 1)


@pytest.mark.parametrize(
    ("family", "digest"),
    [
        (cross_domain, "3a67d5ca41bc1abb"),
        (exact_match, "8fab520ae773070e"),
        (long_documents, "ed55ba96f757d50f"),
        (semantic_similarity, "b4527a39a981f6d1"),
        (short_queries, "4bec7a0d6ff5e5e3"),
    ],
)
def test_the_same_on_every_platform(family, digest):
    """Change the digest with the lexicon, and never by accident."""
    dataset = family(seed=42, queries=5, documents=30).dataset
    rows = [[query.key, query.text, sorted(grades(query).items())] for query in dataset.queries]
    rows += [[note.id, note.title, note.text] for note in dataset.documents]
    assert hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize("family", TEXT)
def test_no_two_queries_are_nearly_the_same(family):
    words = [frozenset(re.findall(r"\w+", query.text.lower())) for query in made(family).queries]
    for one, other in itertools.combinations(words, 2):
        assert len(one & other) < 0.8 * len(one | other), (one, other)


def test_a_text_that_is_taken_is_written_anew():
    drafts = iter(["same", "same", "other"])
    taken = {"same"}
    assert fresh(lambda _: Note("", next(drafts)), SeededRandom(0), taken).text == "other"
    assert taken == {"same", "other"}


@pytest.mark.parametrize("family", TEXT)
@pytest.mark.parametrize(("queries", "documents"), [(1, 20), (3, 21), (37, 250), (100, 450)])
def test_sizes_are_settings(family, queries, documents):
    dataset = family(queries=queries, documents=documents).dataset
    assert (len(dataset.queries), len(dataset.documents)) == (queries, documents)


@pytest.mark.parametrize("family", TEXT)
@pytest.mark.parametrize("settings", [{"queries": 0}, {"queries": -1}, {"documents": 2}])
def test_impossible_sizes_are_refused(family, settings):
    with pytest.raises(InputError, match="too small"):
        family(**settings)


@pytest.mark.parametrize("family", [f for f in TEXT if f is not exact_match])
def test_more_queries_than_the_lexicon_has_are_refused(family):
    with pytest.raises(InputError, match="too large"):
        family(queries=5000, documents=50_000)


@pytest.mark.parametrize("family", [semantic_similarity, long_documents])
@pytest.mark.parametrize("seed", SEEDS)
def test_what_tells_the_matter_is_relevant_and_nothing_else(family, seed):
    for query in made(family, seed).queries:
        (matter,) = of(query, EVERYDAY)
        found = grades(query)
        told, kin = telling(family, seed, matter), telling(family, seed, matter.kin)
        assert {name for name, grade in found.items() if grade >= 2} == told
        assert {name for name, grade in found.items() if grade == 1} == kin - told


# --- exact match


@pytest.mark.parametrize("seed", SEEDS)
def test_exact_match_terms_stand_in_the_answers_and_nowhere_else(seed):
    dataset = made(exact_match, seed)
    for query in dataset.queries:
        term = query.text.casefold()
        holders = {name for name, text in texts(dataset).items() if term in text.casefold()}
        assert holders == relevant(query)


def test_exact_match_grades_say_how_much_the_note_is_about_the_term():
    dataset = made(exact_match)
    titles = {note.id: note.title for note in dataset.documents}
    for query in dataset.queries:
        for name, grade in grades(query).items():
            assert (query.text in titles[name]) == (grade == 3)


# --- semantic similarity


def stem(word):
    return re.sub(r"(ing|ed|es|s|ly|er|ment|ation|ion|y|e)$", "", word)[:6]


def stems(text):
    return {stem(word) for word in re.findall(r"[^\W\d_]+", text.lower()) if word not in STOP}


@pytest.mark.parametrize("seed", SEEDS)
def test_semantic_answers_share_no_stem_with_their_question(seed):
    dataset = made(semantic_similarity, seed)
    for query in dataset.queries:
        for name in relevant(query):
            assert not stems(query.text) & stems(texts(dataset)[name]), (query.text, name)


def test_no_wording_of_the_lexicon_gives_its_question_away():
    """All that could ever be drawn, not only what these seeds drew."""
    unsaid = re.compile(r"\{\w+\}")
    told = {s for m in EVERYDAY for s in (*m.event.told, *m.domain.details, m.topic.told)}
    told |= {*CHATTER, *PLACES, *PEOPLE, *MONTHS, *WEEKDAYS, *PASSING, *TITLES, "euros"}
    asked = {s for m in EVERYDAY for s in (*m.event.asked, *m.event.short, m.topic.asked)}
    answer, question = (stems(unsaid.sub(" ", " ".join(all_))) for all_ in (told, asked))
    assert answer & question == set()


def test_semantic_near_misses_hold_words_of_the_question():
    dataset = made(semantic_similarity)
    for query in dataset.queries:
        zeros = [name for name, grade in grades(query).items() if grade == 0]
        shared = [len(stems(query.text) & stems(texts(dataset)[name])) for name in zeros]
        assert max(shared) >= 1


# --- cross-domain


@pytest.mark.parametrize("seed", SEEDS)
def test_cross_domain_words_decide_nothing_their_domain_does(seed):
    dataset = made(cross_domain, seed)
    for query in dataset.queries:
        (matter,) = of(query, HOMONYMS)
        word = re.compile(rf"\b{matter.topic.asked}\b", re.IGNORECASE)
        assert word.search(query.text)
        holders = {name for name, text in texts(dataset).items() if word.search(text)}
        told = telling(cross_domain, seed, matter)
        kin = telling(cross_domain, seed, matter.kin)
        found = grades(query)
        assert relevant(query) == told | kin <= holders
        assert {name for name, grade in found.items() if grade >= 2} == told
        zeros = {name for name, grade in found.items() if grade == 0}
        assert zeros
        assert zeros <= holders - told - kin


def test_every_homonym_has_two_domains():
    for matter in HOMONYMS:
        assert len({m.domain.name for m in HOMONYMS if m.topic.asked == matter.topic.asked}) >= 2


def test_homonyms_stand_only_in_notes_about_them():
    words = {matter.topic.asked for matter in HOMONYMS}
    told = [matter.domain.details for matter in (*EVERYDAY, *HOMONYMS)]
    told += [matter.event.plain + matter.event.told for matter in EVERYDAY]
    for sentence in itertools.chain.from_iterable(told):
        assert not words & set(re.findall(r"\w+", sentence.lower())), sentence


# --- long documents


@pytest.mark.parametrize("seed", SEEDS)
def test_long_documents_are_long_and_the_answer_is_where_it_is_said_to_be(seed):
    dataset = made(long_documents, seed)
    lengths = {note.id: len(note.text.split()) for note in dataset.documents}
    assert min(lengths.values()) > 2000
    positions = []
    for query in dataset.queries:
        (matter,) = of(query, EVERYDAY)
        for needle in query.extra["needles"]:
            (note,) = [note for note in dataset.documents if note.id == needle["document"]]
            start = sayings(matter).search(note.text).start()
            before = len(note.text[:start].split())
            assert 0 <= before - needle["token"] <= 2  # the date stands first
            assert needle["tokens"] == lengths[note.id]
            third = ("start", "middle", "end")[3 * needle["token"] // needle["tokens"]]
            assert needle["position"] == third
            positions.append(third)
    assert min(map(positions.count, ("start", "middle", "end"))) > len(positions) / 5


def test_long_documents_say_on_which_line():
    dataset = made(long_documents)
    lines = {note.id: note.text.split("\n") for note in dataset.documents}
    for query in dataset.queries:
        (matter,) = of(query, EVERYDAY)
        for judgment in query.judgments:
            if judgment.grade:
                line = lines[judgment.reference.document_id][judgment.because.lines[0] - 1]
                asked = matter if judgment.grade > 1 else matter.kin
                assert sayings(asked).search(line)


# --- short queries


@pytest.mark.parametrize("seed", SEEDS)
def test_short_queries_are_short_and_mean_what_they_say(seed):
    dataset = made(short_queries, seed)
    lengths = [len(query.text.split()) for query in dataset.queries]
    assert set(lengths) == {1, 2, 3}
    for query in dataset.queries:
        matters = of(query, EVERYDAY)
        told = set().union(*(telling(short_queries, seed, matter) for matter in matters))
        assert {name for name, grade in grades(query).items() if grade >= 2} == told
        if len(matters) > 1:  # a topic alone: whatever names it is an answer
            topic = matters[0].topic
            word = re.compile(rf"\b({topic.asked}|{topic.told})\b", re.IGNORECASE)
            holders = {name for name, text in texts(dataset).items() if word.search(text)}
            assert relevant(query) == holders


# --- the lexicon


def test_no_two_topics_share_a_name_and_no_sentence_names_another_topic():
    topics = {matter.topic for matter in EVERYDAY}
    named = [name for topic in topics for name in (topic.asked, topic.told)]
    assert len(named) == len(set(named)) == 128
    sentences = {s for m in EVERYDAY for s in (*m.event.plain, *m.event.told, *m.domain.details)}
    for name, sentence in itertools.product(named, sentences):
        assert not re.search(rf"\b{name}\b", sentence, re.IGNORECASE), (name, sentence)


def test_no_question_stands_word_for_word_in_an_answer():
    for matter in (*EVERYDAY, *HOMONYMS):
        said = (*matter.event.plain, *matter.event.told, *matter.kin.event.plain)
        for question, answer in itertools.product(matter.event.asked, said):
            assert question.lower() not in answer.lower()


def test_kin_is_mutual():
    for matter in (*EVERYDAY, *HOMONYMS):
        assert matter.kin.kin == matter
        assert matter.kin != matter


def test_every_file_of_words_is_read():
    files = {path.stem for path in vocabulary.FOLDER.glob("*.yaml")}
    assert files == {*vocabulary.EVERYDAY, "homonyms"}


@pytest.mark.parametrize("told", ['[on, "The light is off."]', "The light is off."])
def test_words_that_are_no_list_of_texts_are_refused(tmp_path, monkeypatch, told):
    sayings = f'{{asked: ["who switched it"], told: {told}}}'
    words = f"details: {{home: []}}\nwords: {{lamp: {{home: [{sayings}, {sayings}]}}}}\n"
    (tmp_path / "homonyms.yaml").write_text(words)
    monkeypatch.setattr(vocabulary, "FOLDER", tmp_path)
    with pytest.raises(TypeError, match="list of texts"):
        homonyms.__wrapped__()


def test_the_catalogue_finds_every_family():
    assert set(catalogue.files(families)) >= {family.__name__ for family in TEXT} | {"clusters"}
    for name in catalogue.files(families):
        family = catalogue.find(families, name)
        assert family.__name__ == name
        assert family.__doc__.strip().partition("\n")[0].endswith(".")
