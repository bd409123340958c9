import hashlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.columns.files.path_names import is_path, plain_path, slashed
from assay.datasets.resolve.matching_notes import matching_notes
from assay.datasets.resolve.resolve import needs, resolve
from assay.records import Dataset, Document, Judgment, Query, Reference


def document(path, *, text="", uri="", id_=None):
    name = path.rpartition("/")[2]
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Document(id_ or path, text, uri=uri, path=path, file_name=name, content_hash=digest)


def dataset(*references, group="", collection=""):
    judgments = tuple(Judgment(reference, 1, group) for reference in references)
    return Dataset("d", (Query("q", "text", judgments, collection=collection),))


def found(reference, documents, *, collection="", define=None):
    return resolve(dataset(reference, collection=collection), documents, define=define).rows[0]


def defined(document):
    return document.text.split()


CORPUS = [
    document("docs/setup.md", text="how to", uri="https://site/setup", id_="1"),
    document("old/setup.md", text="how it was", id_="2"),
    document("src/app.py", text="App App.run helper", uri="file:///srv/src/app.py", id_="3"),
    document("src/empty.py", id_="4"),
    document("tests/empty.py", id_="5"),
]


def test_by_hand():
    first = Query(
        "q1",
        "set up",
        (
            Judgment(Reference(path="docs/setup.md"), 3),
            Judgment(Reference(file_name="setup.md"), 2),
            Judgment(Reference(path="docs/setup.rst"), 1),
        ),
    )
    second = Query(
        "q2",
        "run",
        (
            Judgment(Reference(document_id="3"), 3, "either"),
            Judgment(Reference(document_id="gone"), 3, "either"),
        ),
    )

    resolution = resolve(Dataset("d", (first, second)), iter(CORPUS), corpus="small")

    assert (resolution.total, resolution.resolved) == (4, 2)
    assert (resolution.irrelevant, resolution.noun) == (0, "expected item")
    assert (resolution.ambiguous, resolution.missing) == (1, 1)
    assert (resolution.status, resolution.corpus, resolution.documents) == ("partial", "small", 5)
    path, name, gone, member, spared = resolution.rows
    assert (path.query, path.documents, path.key, path.reason) == ("q1", ("1",), "path", "")
    assert (name.documents, name.reason, name.candidates) == ((), "ambiguous", ("1", "2"))
    assert (gone.reason, gone.candidates) == ("not_found", ("1", "2"))
    assert (member.documents, member.spared) == (("3",), False)
    assert (spared.documents, spared.reason, spared.spared) == ((), "not_found", True)


@pytest.mark.parametrize(
    ("reference", "id_", "key"),
    [
        (Reference(document_id="2"), "2", "document_id"),
        (Reference(uri="https://site/setup"), "1", "uri"),
        (Reference(content_hash=CORPUS[1].content_hash), "2", "content_hash"),
        (Reference(content_hash="SHA256:" + CORPUS[1].content_hash.upper()), "2", "content_hash"),
        (Reference(path="src/app.py"), "3", "path"),
        (Reference(path="file://src/app.py"), "3", "path"),
        (Reference(path="./src/app.py"), "3", "path"),
        (Reference(path="src\\app.py"), "3", "path"),
        (Reference(path="/srv/src/app.py"), "3", "path"),
        (Reference(path="file:///srv/src/app.py"), "3", "path"),
        (Reference(path="https://site/setup"), "1", "path"),
        (Reference(file_name="app.py"), "3", "file_name"),
    ],
)
def test_every_key_finds_its_document(reference, id_, key):
    row = found(reference, CORPUS)
    assert (row.documents, row.key, row.reason, row.partial) == ((id_,), key, "", ())


def test_a_path_is_found_in_a_uri_whose_blanks_are_quoted():
    spaced = [Document("7", uri="file:///srv/my%20notes.md")]
    assert found(Reference(path="/srv/my notes.md"), spaced).documents == ("7",)


def test_keys_fall_through_in_their_order():
    everything = Reference("x", "x", "0" * 64, "x", "app.py")
    assert found(everything, CORPUS).key == "file_name"
    assert found(replace(everything, path="src/empty.py"), CORPUS).documents == ("4",)
    assert found(replace(everything, document_id="1"), CORPUS).key == "document_id"


def test_an_earlier_key_wins_over_a_later_one():
    row = found(Reference(document_id="1", path="src/app.py"), CORPUS)
    assert (row.documents, row.key) == (("1",), "document_id")


def test_a_later_key_narrows_an_ambiguous_one():
    empty = CORPUS[3].content_hash
    assert found(Reference(content_hash=empty), CORPUS).candidates == ("4", "5")
    row = found(Reference(content_hash=empty, path="tests/empty.py"), CORPUS)
    assert (row.documents, row.key) == (("5",), "content_hash")
    row = found(Reference(content_hash=empty, file_name="empty.py"), CORPUS)
    assert (row.reason, row.candidates) == ("ambiguous", ("4", "5"))
    row = found(Reference(content_hash=empty, file_name="app.py"), CORPUS)
    assert (row.reason, row.candidates) == ("ambiguous", ("4", "5"))


def test_narrowing_sees_beyond_the_candidates_that_are_shown():
    many = [document(f"p{i}/__init__.py") for i in range(50)]
    row = found(Reference(content_hash=many[0].content_hash, path="p49/__init__.py"), many)
    assert row.documents == ("p49/__init__.py",)


def test_ambiguous_shows_ten_in_the_order_of_the_corpus():
    many = [document(f"p{i}/__init__.py") for i in range(50)]
    row = found(Reference(file_name="__init__.py"), many)
    assert row.candidates == tuple(one.id for one in many[:10])


def test_one_document_that_stands_twice_is_no_ambiguity():
    assert found(Reference(file_name="app.py"), [*CORPUS, *CORPUS]).documents == ("3",)
    empty = Reference(content_hash=CORPUS[2].content_hash, file_name="app.py")
    assert found(empty, [*CORPUS, *CORPUS]).documents == ("3",)


@pytest.mark.parametrize(
    "reference",
    [Reference(), Reference(path=" "), Reference(content_hash="abc"), Reference(path="")],
)
def test_what_cannot_name_a_document_is_invalid(reference):
    assert found(reference, CORPUS).reason == "invalid"


def test_a_broken_hash_does_not_hinder_other_keys():
    row = found(Reference(content_hash="abc", path="src/app.py"), CORPUS)
    assert (row.documents, row.key) == (("3",), "path")
    assert found(Reference(content_hash="abc", path="src/gone.py"), CORPUS).reason == "invalid"


def test_a_collection_stands_before_the_path():
    two = [document("one/a.py"), document("two/a.py"), document("b.py"), document("one/b.py")]
    assert found(Reference(path="a.py"), two, collection="two").documents == ("two/a.py",)
    assert found(Reference(path="b.py"), two, collection="one").documents == ("b.py",)
    assert found(Reference(path="a.py"), two).reason == "not_found"


def test_a_text_that_is_a_path_or_an_id_means_that_document():
    # By hand: "app.py" is also a part of src/app.py and app.pyi, which it would meet as a part.
    three = [
        document("app.py"),
        document("src/app.py"),
        document("app.pyi"),
        document("x", id_="7"),
    ]
    row = found(Reference(path="app.py", match="substring"), three)
    assert (row.documents, row.partial, row.by_part) == (("app.py",), (), False)
    both = [*three, document("v7/y"), document("x", id_="7")]
    for match in ("substring", "exact"):
        row = found(Reference(path="7", match=match), both)
        assert (row.documents, row.by_part) == (("7",), False)
    row = found(Reference(path="pp.py", match="substring"), three)
    assert (len(row.documents), row.by_part) == (3, True)


@pytest.mark.parametrize(
    "written",
    [
        *("src\\app.py", ".\\src\\app.py", "./src//app.py", "SRC/App.py", "/home/me/src/app.py"),
        *("C:\\work\\src\\APP.py", "file:///home/src/app.py"),
    ],
)
@pytest.mark.parametrize("match", ["exact", "substring"])
@pytest.mark.parametrize("key", ["path", "document_id"])
def test_a_path_of_another_platform_is_found_where_it_is_unique(written, match, key):
    row = found(
        Reference(**{key: written}, match=match), [document("src/app.py"), document("b.py")]
    )
    assert (row.documents, row.key, row.respelled) == (("src/app.py",), key, True)
    assert row.by_part is False


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("match", ["exact", "substring"])
@pytest.mark.parametrize("key", ["path", "document_id", "file_name"])
def test_accents_may_be_apart_from_their_letters(apart, match, key):
    # macOS writes "e" and an accent in names of files; judgments mostly have one character.
    ours, theirs = ("cafe\u0301.md", "caf\u00e9.md")[:: 1 if apart else -1]
    paths = [document(ours), document("b.py")]
    row = found(Reference(**{key: theirs}, match=match), paths)
    assert (row.documents, row.key, row.respelled) == ((ours,), key, True)
    note = matching_notes([row])[-1]
    assert (f'"{ours}" (' in note, "Unicode" in note) == (True, True)
    assert found(Reference(**{key: ours}, match=match), paths).respelled is False
    both = [document(theirs), *paths]
    assert found(Reference(**{key: theirs}, match=match), both).documents == (theirs,)


def test_a_path_of_another_platform_that_may_be_several_is_ambiguous():
    two = [document("src/App.py"), document("src/APP.py")]
    row = found(Reference(path="src\\app.py"), two)
    assert (row.documents, row.reason, row.candidates) == (
        (),
        "ambiguous",
        ("src/App.py", "src/APP.py"),
    )
    row = found(Reference(path="src\\APP.py"), two)  # the case decides
    assert (row.documents, row.respelled) == (("src/APP.py",), True)
    nested = [document("app.py"), document("src/app.py"), document("src/b.py")]
    row = found(Reference(path="/me/src/app.py"), nested)
    assert (row.reason, set(row.candidates)) == ("ambiguous", {"app.py", "src/app.py"})


def test_a_text_in_another_case_means_the_one_path_that_ends_in_it():
    paths = [document("src/a/setup.md"), document("b.py"), document("src/my_setup.md")]
    row = found(Reference(path="SETUP.md", match="substring"), paths)
    assert (row.documents, row.respelled) == (("src/a/setup.md",), True)
    assert found(Reference(path="A\\Setup.md", match="substring"), paths).documents == row.documents
    two = [*paths, document("old/setup.md")]
    row = found(Reference(path="SETUP.md", match="substring"), two)
    assert (row.reason, row.candidates) == ("ambiguous", ("src/a/setup.md", "old/setup.md"))
    assert found(Reference(path="SETUP.md", match="exact"), paths).reason == "not_found"


def test_one_root_of_all_absolute_paths_settles_which_is_meant():
    nested = [document("app.py"), document("src/app.py"), document("src/b.py")]
    both = Reference(path="/me/src/app.py"), Reference(path="/me/src/b.py")
    rows = resolve(dataset(*both), nested).rows
    assert [row.documents for row in rows] == [("src/app.py",), ("src/b.py",)]


def test_absolute_paths_of_a_corpus_are_found_by_relative_ones():
    row = found(Reference(path="src/app.py"), [document("/srv/src/app.py"), document("/srv/b.py")])
    assert (row.documents, row.respelled) == (("/srv/src/app.py",), True)


def test_ids_that_are_no_paths_keep_their_case():
    assert found(Reference(document_id="d1"), [Document("D1")]).reason == "not_found"
    assert found(Reference(uri="https://a/b"), [Document("1", uri="https://a/B")]).documents == ()
    assert found(Reference(path="src/app.py"), [document("src/app.py")]).respelled is False
    assert found(Reference(document_id="caf\u00e9"), [Document("cafe\u0301")]).documents == ()


def test_a_part_meets_every_path_that_holds_it():
    row = found(Reference(path="empty", match="substring"), CORPUS)
    assert (row.documents, row.partial, row.key, row.reason) == (("4", "5"), ("4", "5"), "path", "")
    row = found(Reference(path="empty.py", match="substring"), CORPUS)
    assert (row.documents, row.partial) == (("4", "5"), ())
    row = found(Reference(file_name="src", match="substring"), CORPUS)
    assert row.reason == "not_found"
    row = found(Reference(file_name="app", match="substring"), CORPUS)
    assert (row.documents, row.partial, row.key) == (("3",), ("3",), "file_name")
    assert found(Reference(path="SETUP", match="substring"), CORPUS).reason == "not_found"
    assert found(Reference(path="srv", match="substring"), CORPUS).reason == "not_found"


def test_what_meets_a_part_is_not_narrowed_by_later_keys():
    # By hand: "auth" stands in both paths, in one file name; a bare name gives all those keys.
    two = [document("docs/auth.md"), document("src/auth/login.py"), document("src/app.py")]
    bare = replace(Reference.named("auth"), match="substring")
    row = found(bare, two)
    assert (row.documents, row.key) == (("docs/auth.md", "src/auth/login.py"), "path")
    row = found(Reference(path="src", file_name="app", match="substring"), two)
    assert row.documents == ("src/auth/login.py", "src/app.py")


def test_a_part_narrows_an_ambiguous_key():
    empty = CORPUS[3].content_hash
    row = found(Reference(content_hash=empty, path="tests", match="substring"), CORPUS)
    assert (row.documents, row.key) == (("5",), "content_hash")


def test_overlapping_parts_are_all_found():
    parts = [Reference(path=part, match="substring") for part in ("a", "ab", "bc", "abc", "c", "x")]
    rows = resolve(dataset(*parts), [document("abc"), document("xc")]).rows
    assert [row.documents for row in rows] == [
        *[("abc",)] * 4,
        ("abc", "xc"),
        ("xc",),
    ]


@pytest.mark.parametrize(
    ("symbol", "match", "documents", "partial"),
    [
        ("App", "exact", ("3",), ()),
        ("run", "exact", ("3",), ()),
        ("App.run", "exact", ("3",), ()),
        ("app", "exact", (), ()),
        ("ru", "exact", (), ()),
        ("APP.R", "substring", ("3",), ("3",)),
        ("RUN", "substring", ("3",), ()),
        ("how", "exact", ("1", "2"), ()),
        ("ho", "substring", ("1", "2"), ("1", "2")),
    ],
)
def test_a_symbol_is_met_by_whatever_defines_it(symbol, match, documents, partial):
    row = found(Reference(symbol=symbol, match=match), CORPUS, define=defined)
    assert (row.documents, row.partial) == (documents, partial)
    assert row.key == ("symbol" if documents else "")


def test_a_symbol_beside_a_path_only_says_where():
    row = found(Reference(path="src/empty.py", symbol="App"), CORPUS, define=defined)
    assert row.documents == ("4",)


def test_without_define_no_symbol_is_found():
    assert found(Reference(symbol="App"), CORPUS).reason == "not_found"


def test_symbols_are_defined_only_when_asked_for():
    def refuse(document):
        raise AssertionError

    assert found(Reference(path="src/app.py", symbol="App"), CORPUS, define=refuse).documents


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        (Reference(), (False, False)),
        (Reference(path="a", symbol="s"), (False, False)),
        (Reference(symbol="s"), (True, False)),
        (Reference(content_hash="0" * 64), (False, True)),
    ],
)
def test_texts_and_hashes_are_asked_for_only_when_needed(reference, expected):
    assert needs(dataset(reference)) == expected


def test_a_group_counts_once():
    judgments = [
        Judgment(Reference(document_id="1"), 1, "g"),
        Judgment(Reference(document_id="gone"), 1, "g"),
        Judgment(Reference(file_name="setup.md"), 1, "h"),
        Judgment(Reference(document_id="gone"), 1, "h"),
        Judgment(Reference(), 1, "i"),
        Judgment(Reference(document_id="gone"), 1, "i"),
    ]
    queries = (Query("a", "", tuple(judgments)), Query("b", "", tuple(judgments[1:2])))
    resolution = resolve(Dataset("d", queries), CORPUS)
    assert (resolution.total, resolution.resolved) == (4, 1)
    assert (resolution.ambiguous, resolution.missing) == (1, 2)
    assert [row.spared for row in resolution.rows] == [False, True, *[False] * 5]


def test_a_member_that_is_not_relevant_is_a_reference_of_its_own():
    judgments = (
        Judgment(Reference(document_id="1"), 0, "g"),
        Judgment(Reference(document_id="gone"), 2, "g"),
        Judgment(Reference(document_id="2"), 2, "h"),
        Judgment(Reference(document_id="gone"), -1, "h"),
    )
    resolution = resolve(Dataset("d", (Query("q", "", judgments),)), CORPUS)
    assert (resolution.total, resolution.resolved, resolution.missing) == (4, 2, 2)
    assert [row.spared for row in resolution.rows] == [False] * 4


@pytest.mark.parametrize(
    ("wanted", "paths", "expected"),
    [
        ("src/app.py", ["lib/app.py", "src/other.py"], ["lib/app.py"]),
        ("src/app.ts", ["src/app.py"], ["src/app.py"]),
        ("src/My-App.py", ["src/my_app.py"], ["src/my_app.py"]),
        ("src/decode.py", ["src/decoder.py", "src/zip.py"], ["src/decoder.py"]),
        (
            "src/utils.py",
            ["lib/zip.py", "src/text_utils.py", "lib/text_utils.py"],
            ["src/text_utils.py"],
        ),
        ("a/b/c.py", ["x/c.py", "a/x/c.py", "a/b/D.py"], ["a/x/c.py", "x/c.py"]),
        ("a/b/c.py", ["1/c.py", "2/c.py", "3/c.py", "x/b/c.py"], ["x/b/c.py", "1/c.py", "2/c.py"]),
        ("c.md", ["c.txt", "x/C.md"], ["x/C.md", "c.txt"]),
        ("a/b.py", ["c/d.py"], []),
    ],
)
def test_near_misses_are_ordered_by_likeness(wanted, paths, expected):
    row = found(Reference(path=wanted), [document(path) for path in paths])
    assert (row.reason, list(row.candidates)) == ("not_found", expected)


@pytest.mark.parametrize("key", ["document_id", "uri", "path", "file_name"])
def test_every_name_has_near_misses(key):
    value = "file:///lib/App.py" if key == "uri" else "App.py"
    assert found(Reference(**{key: value}), CORPUS).candidates == ("3",)


def test_near_misses_are_ids_and_not_paths():
    bare = [Document("Setup", path="", uri="")]
    assert found(Reference(document_id="set-up"), bare).candidates == ("Setup",)


NAMES = st.lists(st.text("aAb_-./", min_size=1, max_size=8), max_size=30)


@given(st.text("aAb_-./", min_size=1, max_size=8), NAMES)
def test_near_misses_are_few_and_exist(wanted, paths):
    row = found(Reference(path=wanted), [document(path) for path in paths])
    assert len(row.candidates) <= 3 or row.reason == "ambiguous"
    assert len(set(row.candidates)) == len(row.candidates)
    assert set(row.candidates) <= set(paths)
    assert wanted not in row.candidates or row.reason == "ambiguous"


def test_the_place_that_a_whole_folder_moved_to_is_found_among_many():
    many = [document(f"p{i}/index.ts") for i in range(200)] + [document("lib/views/index.ts")]
    row = found(Reference(path="src/views/index.ts"), many)
    assert row.candidates[0] == "lib/views/index.ts"


def test_nothing_asked_and_nothing_there():
    assert resolve(Dataset("d", ()), []).status == "resolved"
    assert found(Reference(path="a"), []).reason == "not_found"
    assert found(Reference(path="a", match="substring"), []).reason == "not_found"
    assert found(Reference(symbol="a", match="substring"), [], define=defined).key == ""


@pytest.mark.parametrize("name", ["naïve/日本.py", "a\r\nb", "\udcff.py", "x" * 5000, "🦊/" * 99])
@pytest.mark.parametrize("match", ["exact", "substring"])
def test_odd_names(name, match):
    row = found(Reference(path=name, match=match), [document("other"), Document("7", path=name)])
    assert (row.documents, row.partial) == (("7",), ())


def test_a_name_that_is_no_text_is_not_taken_for_another():
    odd = [Document("7", path="\udcff.py")]
    assert found(Reference(path="?", match="substring"), odd).reason == "not_found"


def test_numbers_for_names_are_read_as_text():
    assert found(Reference(document_id=3), CORPUS).documents == ("3",)
    assert found(Reference(document_id=None, path=33), CORPUS).reason == "not_found"


LETTERS = st.text("ab/.", max_size=4)
SOME = st.sampled_from(["", "", "a", "b", "a/b", "ab", "a.b", "b/a.b"])
DOCUMENTS = st.lists(
    st.builds(
        Document,
        id=st.sampled_from("123456789"),
        path=LETTERS,
        uri=SOME,
        file_name=SOME.filter(bool),
        content_hash=st.sampled_from(["0" * 64, "1" * 64]),
        text=st.sampled_from(["", "a", "b a.b", "ab A"]),
    ),
    max_size=12,
    unique_by=lambda document: document.id,
)
REFERENCES = st.builds(
    Reference,
    document_id=st.sampled_from(["", "", "1", "2", "x"]),
    uri=SOME,
    content_hash=st.sampled_from(["", "0" * 64, "2" * 64, "no"]),
    path=SOME | LETTERS.filter(lambda path: not plain_path(path)),  # ../ has tests of its own
    file_name=SOME,
    symbol=st.sampled_from(["", "a", "b", "A"]),
    match=st.sampled_from(["exact", "substring"]),
)


def loosely(keys, documents, *, whole):
    """What no key finds may be a path in another spelling: of the same case, else of any.

    If it must be the ``whole`` path, the ending of the file may be missing.
    """
    values = [keys[key] for key in ("document_id", "uri") if is_path(keys.get(key, ""))]
    for value in [*values, keys.get("path", "")]:
        ours = slashed(value)
        names = [(d.id, slashed(d.path)) for d in documents if d.path]
        met = {}
        for same in (str, str.lower):
            if ours and not met:
                met = {id_: name for id_, name in names if one(same(ours), same(name))}
        if not met and whole and "." not in ours.rpartition("/")[2] != "":
            met = {id_: name for id_, name in names if ours.lower() in stems(name.lower())}
        if met:
            lost = "ambiguous" if len(met) > 1 else ""
            return lost, () if lost else tuple(met), tuple(met)[:10] if lost else ()
    return "lost", (), ()


def stems(path):
    """Return the path without the ending of its file, and the name of that file without it."""
    folder, _, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    whole = f"{folder}/{stem}" if "/" in path else stem
    return {whole, stem} - {""} if dot else set()


def one(ours, theirs):
    """Tell whether two paths are equal, or one of them below an absolute prefix of the other."""
    if ours == theirs:
        return True
    pairs = [(ours, theirs), (theirs, ours)]
    return any(
        long[:1] == "/" != short[:1] and short and long.endswith(f"/{short}")
        for long, short in pairs
    )


def plainly(reference, documents):
    """The definition, one reference against every document."""
    part = reference.match == "substring"
    tests = {
        "document_id": lambda d, v: d.id == v,
        "uri": lambda d, v: d.uri == v,
        "content_hash": lambda d, v: d.content_hash == v,
        "path": lambda d, v: v in d.path if part else v in (d.path, d.uri),
        "file_name": lambda d, v: v in d.file_name if part else d.file_name == v,
        "symbol": lambda d, v: any(
            v.lower() in s.lower() if part else v in (s, s.rpartition(".")[2]) for s in defined(d)
        ),
    }
    keys = {key: value for key in tests if (value := getattr(reference, key))}
    if len(keys) > 1:
        keys.pop("symbol", None)
    met = {key: [d.id for d in documents if tests[key](d, value)] for key, value in keys.items()}
    if "path" in keys:  # an id or a path that is equal, else one without ./ and doubled slashes
        value, bare = keys["path"], slashed(keys["path"])
        same = [d.id for d in documents if part and d.id == value]
        same = same or [d.id for d in documents if value in (d.path, d.uri)]
        same = same or [d.id for d in documents if bare and bare in (d.path, d.uri)]
        parts = [d.id for d in documents if part and bare and bare in d.path]
        met["path"] = same or met["path"] or parts
    telling = [key for key in keys if met[key]]  # fall through what finds nothing
    if not telling:
        return loosely(keys, documents, whole=not part)
    first, *later = telling
    if part and first == "path" and same:
        return "", tuple(same), ()
    if first == "symbol" or (part and first in ("path", "file_name")):
        return "", tuple(met[first]), ()  # an expected item: whatever meets it
    left = met[first]
    for key in later:  # an ambiguous key may be narrowed
        left = [id_ for id_ in left if len(left) == 1 or id_ in met[key]] or left
    return ("", tuple(left), ()) if len(left) == 1 else ("ambiguous", (), tuple(left)[:10])


@given(st.lists(REFERENCES, max_size=8), DOCUMENTS)
@settings(max_examples=100, deadline=None)
def test_agrees_with_the_definition(references, documents):
    rows = resolve(dataset(*references), iter(documents), define=defined).rows
    for row, reference in zip(rows, references, strict=True):
        reason, ids, candidates = plainly(reference, documents)
        assert set(row.documents) == set(ids)
        assert (row.reason in ("not_found", "invalid")) == (reason == "lost")
        assert row.reason == reason or reason == "lost"
        assert set(row.candidates) == set(candidates) or reason == "lost"


@given(st.lists(REFERENCES, max_size=8), DOCUMENTS, st.lists(st.sampled_from(["", "g", "h"])))
@settings(max_examples=100, deadline=None)
def test_the_counts_are_those_of_the_items(references, documents, groups):
    groups = (groups + [""] * len(references))[: len(references)]
    judgments = tuple(map(Judgment, references, [1] * len(references), groups))
    resolution = resolve(Dataset("d", (Query("q", "", judgments),)), documents, define=defined)
    assert resolution.total == groups.count("") + len(set(groups) - {""})
    assert resolution.resolved + resolution.ambiguous + resolution.missing == resolution.total
    for row, group in zip(resolution.rows, groups, strict=True):
        assert bool(row.documents) == (row.reason == "")
        mates = [r for r, g in zip(resolution.rows, groups, strict=True) if g and g == group]
        assert row.spared == (bool(row.reason) and any(mate.documents for mate in mates))


def test_a_million_documents_are_not_kept():
    """An iterator that fails if more than a few batches of its documents are alive."""
    import tracemalloc

    def documents(number):
        return (Document(f"{i}", "x" * 10_000, path=f"p/{i}.py") for i in range(number))

    tracemalloc.start()
    resolve(dataset(Reference(path="p/7.py"), Reference(path="gone.py")), documents(40_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6  # the texts alone are 400 MB


def test_what_is_not_relevant_stands_for_each_other_but_not_for_the_right_answers():
    judgments = (
        Judgment(Reference(path="new.py"), 0, "moved"),
        Judgment(Reference(path="old.py"), 0, "moved"),
        Judgment(Reference(path="best.py"), 3, "moved"),
    )
    dataset = Dataset("d", (Query("q", "x", judgments),))
    found = resolve(dataset, [Document("old.py", path="old.py")])
    assert (found.total, found.resolved, found.missing) == (2, 1, 1)
    assert (found.irrelevant, found.noun) == (1, "reference")
    assert [row.spared for row in found.rows] == [True, False, False]
