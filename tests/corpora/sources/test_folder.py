"""A folder is the documents that a person sees in it: by hand, then git itself as the oracle."""

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from assay.corpora.sources.folder import folder
from assay.errors import InputError


def write(root, files):
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def open_files():
    table = Path("/proc/self/fd")  # where there is no such folder, nothing is said
    return len(list(table.iterdir())) if table.exists() else 0


def paths(root, **settings):
    return [document.path for document in folder(root, **settings).documents()]


def test_by_hand(tmp_path):
    write(tmp_path, {"b/c d.py": "x = 1\r\n", "b.md": "# é\n", "a.txt": ""})

    first, second, third = folder(tmp_path).documents()

    assert [first.id, second.id, third.id] == ["a.txt", "b.md", "b/c d.py"]
    assert (first.text, first.size_bytes) == ("", 0)  # an empty file is a document
    assert (second.text, second.size_bytes) == ("# é\n", 5)
    assert third.uri == tmp_path.resolve().as_uri() + "/b/c%20d.py"
    assert (third.path, third.file_name) == ("b/c d.py", "c d.py")
    assert third.text == "x = 1\r\n"
    assert third.content_hash == hashlib.sha256(b"x = 1\r\n").hexdigest()
    assert [first.language, second.language, third.language] == ["text", "markdown", "python"]


def test_the_order_is_that_of_the_bytes_of_whole_paths(tmp_path):
    write(tmp_path, dict.fromkeys(["a/x", "a.b", "a0", "B", "é", "z", "a/é/q", "a/z"], "."))
    found = paths(tmp_path)
    assert found == sorted(found, key=str.encode)
    assert len(found) == 8


def test_what_is_not_text_is_skipped_and_counted(tmp_path):
    write(
        tmp_path,
        {
            "nul": b"a\0b",
            "png": b"\x89PNG\r\n\x1a\n",
            "late nul is text, as in git": b"a" * 8192 + b"\0",
            "utf16": "grün\n".encode("utf-16"),
            "bom": b"\xef\xbb\xbfgr\xc3\xbcn\n",
            "latin": "grün\n".encode("latin-1"),
            "windows": "“grün” – €\n".encode("cp1252"),
            "cut": b"a" * 8191 + "é".encode(),
            "late latin": b"a" * 9000 + b"\xfc",
            "late damage": "é".encode() * 4500 + b"\xff",
            "large": b"a" * 20_001,
        },
    )
    corpus = folder(tmp_path, max_file_size=20_000)
    texts = {document.path: document.text for document in corpus.documents()}

    assert corpus.skipped == {"binary": 2, "too_large": 1}
    assert texts["utf16"] == texts["bom"] == texts["latin"] == "grün\n"
    assert texts["windows"] == "“grün” – €\n"
    assert texts["cut"].endswith("aé")
    assert texts["late latin"].endswith("aü")
    assert texts["late damage"].endswith("é\ufffd")
    spared = [document.path for document in corpus.documents(texts=False, hashes=False)]
    assert spared == list(texts)  # the same documents, whatever is asked of them
    assert corpus.skipped == {"binary": 2, "too_large": 1}


def test_what_is_not_asked_for_is_left_empty(tmp_path):
    write(tmp_path, {"a": "x" * 9000})
    (bare,) = folder(tmp_path).documents(texts=False, hashes=False)
    assert (bare.text, bare.content_hash, bare.size_bytes) == ("", "", 9000)
    (hashed,) = folder(tmp_path).documents(texts=False)
    assert hashed.content_hash == hashlib.sha256(b"x" * 9000).hexdigest()


def test_patterns_choose(tmp_path):
    write(tmp_path, dict.fromkeys(["a.py", "src/b.py", "src/b.md", "src/old/c.py", "docs/d"], "."))
    assert paths(tmp_path, include=["**/*.py"]) == ["a.py", "src/b.py", "src/old/c.py"]
    assert paths(tmp_path, include="src/", exclude=["old/"]) == ["src/b.md", "src/b.py"]
    assert paths(tmp_path, include=["*.py", "!b.py"]) == ["a.py", "src/old/c.py"]
    assert paths(tmp_path, exclude=["src/**", "!src/b.py"]) == ["a.py", "docs/d", "src/b.py"]
    assert paths(tmp_path, exclude=["/src"]) == ["a.py", "docs/d"]


def test_ignored_files_are_left_out_at_every_level(tmp_path):
    (tmp_path / ".git" / "info").mkdir(parents=True)
    write(
        tmp_path,
        {
            ".git/info/exclude": "secret\n",
            ".gitignore": "*.log\nbuild/\n!keep.log\r\n[\n# no\n",
            "sub/.gitignore": "!deep.log\n/only\n",
            **dict.fromkeys(["a.log", "keep.log", "build/x", "secret", "ok", ".hidden"], "."),
            **dict.fromkeys(["sub/deep.log", "sub/only", "sub/x/only", "sub/build/y"], "."),
        },
    )
    expected = [".gitignore", ".hidden", "keep.log", "ok"]
    below = [".gitignore", "deep.log", "x/only"]
    assert paths(tmp_path) == [*expected, *(f"sub/{path}" for path in below)]
    assert paths(tmp_path / "sub") == below  # the rules above hold here too
    assert "a.log" in paths(tmp_path, ignored=True)
    assert not [path for path in paths(tmp_path, ignored=True) if path.startswith(".git/")]


def test_a_folder_that_is_itself_ignored_is_read_when_named(tmp_path):
    (tmp_path / ".git").mkdir()
    write(tmp_path, {".gitignore": "out\n*.txt", "out/a.txt": ".", "out/b": "."})
    assert paths(tmp_path / "out") == ["a.txt", "b"]


def test_rules_of_a_second_work_tree_are_found(tmp_path):
    common = tmp_path / "main" / ".git"
    write(common, {"info/exclude": "secret", "worktrees/w/commondir": "../..\n"})
    write(tmp_path / "w", {".git": f"gitdir: {common}/worktrees/w\n", "secret": "", "open": ""})
    assert paths(tmp_path / "w") == ["open"]


def test_links_are_not_followed(tmp_path):
    write(tmp_path, {"outside/secret": ".", "root/a": "."})
    root = tmp_path / "root"
    (root / "loop").symlink_to(root)
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "link").symlink_to(root / "a")
    (root / "broken").symlink_to("nowhere")
    corpus = folder(root)
    assert [document.path for document in corpus.documents()] == ["a"]
    assert corpus.skipped == {"link": 4}
    (tmp_path / "door").symlink_to(root)
    assert paths(tmp_path / "door") == ["a"]  # the root itself may be one


def test_what_cannot_be_read_is_counted(tmp_path):
    write(tmp_path, {"a": "."})
    os.mkfifo(tmp_path / "pipe")
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))).write_bytes(b".")
    corpus = folder(tmp_path)
    assert [document.path for document in corpus.documents()] == ["a"]
    assert corpus.skipped == {"unreadable": 2}


@pytest.mark.parametrize("name", [".gitignore", ".git", "sub/.gitignore"])
def test_a_pipe_in_the_place_of_rules_is_not_waited_for(tmp_path, name):
    write(tmp_path, {"a": ".", "sub/b": "."})
    os.mkfifo(tmp_path / name)
    command = "import sys; from assay.corpora.sources.folder import folder as f"
    command += "; print(*[d.path for d in f(sys.argv[1]).documents()])"
    shown = subprocess.run(
        [sys.executable, "-c", command, tmp_path], check=True, capture_output=True, timeout=60
    )
    assert shown.stdout.split() == [b"a", b"sub/b"]


def test_a_pipe_for_git_does_not_hide_the_repository_above(tmp_path):
    write(tmp_path, {".git/HEAD": "", ".gitignore": "b", "sub/a": ".", "sub/b": "."})
    os.mkfifo(tmp_path / "sub" / ".git")
    assert paths(tmp_path / "sub") == ["a"]


def test_rules_without_end_are_no_rules(tmp_path):
    write(tmp_path, {"a": ".", ".gitignore": "a\n" + "#" * 999_000})
    assert paths(tmp_path) == [".gitignore"]
    write(tmp_path, {".gitignore": "a\n" + "#" * 1_000_000})
    assert paths(tmp_path, include=["a"]) == ["a"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_counted(tmp_path):
    write(tmp_path, {"a": ".", "b": ".", "c/d": "."})
    (tmp_path / "b").chmod(0)
    (tmp_path / "c").chmod(0)
    corpus = folder(tmp_path)
    assert [document.path for document in corpus.documents()] == ["a"]
    assert corpus.skipped == {"unreadable": 2}
    (tmp_path / "c").chmod(0o700)


def test_a_deep_folder_is_no_problem(tmp_path):
    place = tmp_path / "/".join("d" * 900)
    place.mkdir(parents=True)
    (place / "f").write_text(".")
    assert len(paths(tmp_path)) == 1


def test_a_path_that_is_too_long(tmp_path):
    with pytest.raises(InputError, match="File name too long") as raised:
        folder(f"{tmp_path}/{'x' * 5000}")
    assert raised.value.hint


@pytest.mark.parametrize("given", ["nothing here", "file", "a\0b", ""])
def test_wrong_places(tmp_path, given, snapshot):
    write(tmp_path, {"file": "."})
    with pytest.raises(InputError) as raised:
        folder(f"{tmp_path}/{given}" if given else given)
    snapshot([raised.value.problem, raised.value.hint])


def test_a_near_miss_is_suggested(tmp_path):
    (tmp_path / "sources").mkdir()
    with pytest.raises(InputError, match=r"hint: .*/sources\b"):
        folder(tmp_path / "source")


@pytest.mark.parametrize("settings", [{"include": 3}, {"exclude": [None]}, {"include": ["a\\"]}])
def test_wrong_patterns(tmp_path, settings):
    with pytest.raises(InputError):
        folder(tmp_path, **settings)


@pytest.mark.parametrize("limit", [0, -1, True, "0", "-5MB", "5 pages", "MB", "", 1.5, [1]])
def test_wrong_limits(tmp_path, limit):
    with pytest.raises(InputError, match="max_file_size") as refused:
        folder(tmp_path, max_file_size=limit)
    assert "5MB" in refused.value.hint


def test_the_largest_file_is_a_setting(tmp_path):
    write(tmp_path, {"a.log": "x" * 1_000_000, "b.log": "x" * 1_000_001})
    assert paths(tmp_path) == ["a.log"]
    assert paths(tmp_path, max_file_size="2MB") == ["a.log", "b.log"]
    assert paths(tmp_path, max_file_size=None) == ["a.log", "b.log"]
    assert paths(tmp_path, max_file_size="none") == ["a.log", "b.log"]
    assert paths(tmp_path, max_file_size="1kB") == []


def test_skipped_files_are_counted_by_ending_and_reason(tmp_path):
    binary = dict.fromkeys(["a.pdf", "b.PDF", "sub/c.pdf", "d.png", "e"], b"\0")
    write(tmp_path, {**binary, "f.log": "x" * 30, "g.txt": "text", "h.md": "", "i.rst": " \n"})
    corpus = folder(tmp_path, convert=False, max_file_size=20)
    assert len([*corpus.documents(texts=False, hashes=False)]) == 3
    skipped = corpus.skipped
    assert skipped == {"binary": 5, "too_large": 1}
    assert skipped.parts() == [
        "3 .pdf (binary)",
        "1 without ending (binary)",
        "1 .log (larger than 20 bytes)",
        "1 .png (binary)",
    ]
    assert skipped.empty == {".md": 1, ".rst": 1}
    assert (skipped.documents, skipped.has_text) == (3, True)


def test_a_pdf_is_never_text(tmp_path):
    """Its first bytes can be plain ASCII for long."""
    write(tmp_path, {"a.pdf": b"%PDF-1.4\n" + b"1 0 obj << /Type /Catalog >>\n" * 400})
    corpus = folder(tmp_path, convert=False)
    assert [*corpus.documents()] == []
    assert corpus.skipped == {"binary": 1}


def test_what_is_left_out_unread_is_counted_too(tmp_path):
    write(tmp_path, {".gitignore": "build/\n", "build/a.md": "x", "b.md": "x", "c.txt": "x"})
    corpus = folder(tmp_path, include=["*.md"])
    assert [one.path for one in corpus.documents()] == ["b.md"]
    assert (corpus.skipped.ignored, corpus.skipped.unmatched) == (["build/"], 2)


def test_a_folder_that_is_gone_is_an_error_when_it_is_read(tmp_path):
    (tmp_path / "a").mkdir()
    corpus = folder(tmp_path / "a")
    (tmp_path / "a").rmdir()
    with pytest.raises(InputError, match="cannot be listed"):
        list(corpus.documents())


def test_two_readings_agree_and_stopping_early_leaves_nothing_open(tmp_path):
    write(tmp_path, {f"{number}/{number}": str(number) for number in range(50)})
    corpus = folder(tmp_path)
    before = open_files()
    reading = corpus.documents()
    next(reading)
    assert open_files() == before
    assert list(corpus.documents()) == list(corpus.documents())


# Names of files, and what patterns are made of: the usual, ** in odd places, and what few write.
ALPHABETS = {
    "usual": (
        ["a", "b", "ab", "a.b", "c d", "#x", "!x"],
        ["a", "*", "b", "**", "a*", "?", "*.b", "[ab]", "[!a]", r"\#x", r"\!x", "ab", "c d"],
    ),
    "stars": (
        ["a", "b", "ab", "aab", "b.a"],
        ["a", "*", "b", "**", "a**", "**b", "a**b", "a*", "?", "*b", "b?", "***"],
    ),
    "odd": (
        ["a", "b", "é", "aé", "[", "a]", "-", "a-b", "\\", "z", "A", "a b", " "],
        [
            *("é", "?", "??", "[é]", "[a-c]", "[c-a]", "[!c-a]", "[]a]", "[a-]", "[[:alpha:]]"),
            *("[![:digit:]]", "[[:nope:]]", "[a", "\\", "\\a", "a\\", "[\\]a]", "[a\\-z]", "*]"),
            *("a ", "a\\ ", " ", "\\[", "[[]", "[!]]", "z", "A", "[^a]", "[a-z-]", "[[:space:]]"),
            *("a*é", "*\\a", "**\\", "[a-[:alpha:]]", "[[:alpha:]", "[[::]", "[]", "[!]", "\\*"),
            *("[a-c--z]", "[]-a]", "[!]-a]", "[[:punct:]a]", "**\\/a", "\\/b", "[/]", "[!/]"),
        ],
    ),
}


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("trees", [150, pytest.param(5_000, marks=pytest.mark.long)])
def test_git_ignores_the_same_files(tmp_path, alphabet, trees):
    """Many trees in one repository, each in a folder of its own: git is asked once."""
    chance = random.Random(trees)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for number in range(trees):
        _grow(tmp_path / str(number), *ALPHABETS[alphabet], chance)
    asked = ["-c", "core.excludesFile=", "ls-files", "-zo", "--exclude-standard"]
    git = subprocess.run(["git", "-C", tmp_path, *asked], check=True, capture_output=True)
    expected = sorted(path.decode() for path in git.stdout.split(b"\0") if path)
    found = [f"{at}/{path}" for at in range(trees) for path in paths(tmp_path / str(at))]
    assert sorted(found) == expected
    assert 2 * trees < len(found) < 8 * trees


def _grow(root, names, globs, chance):
    """Write some files, and in up to three folders rules."""
    folders = {root}
    root.mkdir()
    for _ in range(chance.randint(1, 12)):
        place = root.joinpath(*chance.choices(names, k=chance.randint(1, 4)))
        if not place.is_dir() and not any(above.is_file() for above in place.parents):
            write(place.parent, {place.name: "."})
            folders |= {above for above in place.parents if above.is_relative_to(root)}
    for place in chance.sample(sorted(folders), k=min(len(folders), chance.randint(1, 3))):
        rules = [_line(globs, chance) for _ in range(chance.randint(0, 5))]
        (place / ".gitignore").write_text("\n".join(rules), encoding="utf-8")


def _line(globs, chance):
    begins, ends = ["", "", "!"], ["", "", "/", "  ", "\r"]
    path = "/".join(chance.choices(globs, k=chance.randint(1, 3)))
    return chance.choice(begins) + chance.choice(["", "", "/"]) + path + chance.choice(ends)


def test_a_rule_for_everything_below_a_folder(tmp_path):
    """Git 2.39 ignores the file: !a takes back the folder a, and /** ignores what is in it."""
    write(tmp_path, {"b/a/b": ".", "b/.gitignore": "a\n/**\n!a\n"})
    assert paths(tmp_path) == []
