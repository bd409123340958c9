"""Git history: commit subjects become queries, the files as they were before become the corpus."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay.corpora.open_corpus import open_corpus
from assay.datasets.families._lineage import best_start
from assay.datasets.families._log import ChangedFile, Commit
from assay.datasets.families._subjects import commit_refusal, names_a_file
from assay.datasets.families.git_history import git_history
from assay.errors import InputError
from assay.records import Code, untracked

ROOT = Path(__file__).parents[3]


@dataclass
class Repository:
    path: Path

    def git(self, *words):
        quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        names = {f"GIT_{who}_{what}": "a" for who in ("AUTHOR", "COMMITTER") for what in ("NAME",)}
        names |= {"GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_EMAIL": "a@b.c"}
        command = ["git", "-C", str(self.path), *words]
        done = subprocess.run(
            command, check=True, capture_output=True, env={**os.environ, **quiet, **names}
        )
        return done.stdout.decode().strip()

    def commit(self, subject, **files):
        for name, text in files.items():
            path = self.path / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "--allow-empty", "-q", "-m", subject)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path):
    made = Repository(tmp_path / "shop")
    made.path.mkdir()
    made.git("init", "-q", "-b", "main")
    return made


def without_git(error):
    """Return a refusal without what git itself says in brackets, which differs by version."""
    return [error.problem.partition(" (")[0], error.hint]


def make(path, **settings):
    nothing = lambda text, language: []  # noqa: E731
    code = Code({"path": str(path)}, open_corpus, nothing, nothing, untracked)
    return git_history(code=code, **settings)


def lines(count, word="line"):
    return "".join(f"{word} {number}\n" for number in range(count))


def test_by_hand(repository):
    first = repository.commit("Initial commit", cart_dot_py=lines(30), till_dot_py=lines(30))
    change = repository.commit(
        "Round prices half up",
        cart_dot_py=lines(30) + lines(10, "x"),
        till_dot_py="y\n" + lines(30),
    )

    made = make(repository.path)

    (query,) = made.dataset.queries
    assert query.text == "Round prices half up"
    assert [(j.reference.path, j.grade) for j in query.judgments] == [
        ("cart.py", 3),
        ("till.py", 2),
    ]
    assert query.extra == {"commit": change}
    assert query.collection == made.dataset.name == "shop"
    assert made.dataset.corpus == {
        "path": str(repository.path),
        "source": "git",
        "revision": first,
    }
    assert made.documents == 2


def test_grades_follow_the_share_of_the_largest_change(repository):
    sizes = {"a_dot_py": 20, "b_dot_py": 10, "c_dot_py": 9, "d_dot_py": 2, "e_dot_py": 1}
    repository.commit("Initial commit", **dict.fromkeys(sizes, "x\n"))
    repository.commit("Round prices half up", **{n: "x\n" + lines(s) for n, s in sizes.items()})
    (query,) = make(repository.path).dataset.queries
    assert [judgment.grade for judgment in query.judgments] == [3, 3, 2, 2, 1]


def test_the_corpus_is_as_it_was_before_the_oldest_commit_that_is_used(repository):
    repository.commit("Initial commit", cart_dot_py=lines(9))
    before = repository.commit("bump version to 2", version_dot_txt="2\n")
    repository.commit("Round prices half up", cart_dot_py=lines(9) + "up\n")
    repository.commit("Add a discount for members", cart_dot_py=lines(9) + "upper\n")

    made = make(repository.path)

    assert made.dataset.corpus["revision"] == before
    assert [query.text for query in made.dataset.queries] == [
        "Round prices half up",
        "Add a discount for members",
    ]
    for query in made.dataset.queries:
        texts = {d.path: d.text for d in open_corpus(made.dataset.corpus).documents()}
        assert texts["cart.py"] == lines(9)
        assert {j.reference.path for j in query.judgments} <= set(texts)


def test_files_go_by_the_name_that_they_had(repository):
    repository.commit("Initial commit", cart_dot_py=lines(20), till_dot_py=lines(20, "t"))
    repository.commit("Ask twice before closing", till_dot_py=lines(21, "t"))
    repository.git("mv", "cart.py", "basket.py")
    repository.commit("Speak of baskets in the code")
    repository.commit("Round prices half up", basket_dot_py=lines(20) + "up\n")

    made = make(repository.path)

    (rounding,) = [query for query in made.dataset.queries if query.text.startswith("Round")]
    assert [j.reference.path for j in rounding.judgments] == ["cart.py"]


def test_what_makes_no_query_is_counted_by_reason(repository, snapshot):
    many = {f"f{number}_dot_py": lines(3) for number in range(12)}
    repository.commit("Initial commit", cart_dot_py=lines(9), **many)
    repository.commit("Ask for a name first", cart_dot_py=lines(10))
    repository.commit("Bump dependencies to the newest", cart_dot_py=lines(11))
    repository.commit('Revert "Ask for a name first"', cart_dot_py=lines(12))
    repository.commit("Reformat with another tool", cart_dot_py=lines(13))
    repository.commit("Fix it", cart_dot_py=lines(14))
    repository.commit("Make the cart remember", cart_dot_py=lines(15))
    repository.commit("Touch everything in one go", **{name: lines(4) for name in many})
    repository.commit("Start a file that is new", later_dot_py=lines(4))
    repository.commit("Nothing changed in this one")
    repository.git("checkout", "-q", "-b", "side", "HEAD~1")
    repository.commit("Greet people in the evening", cart_dot_py=lines(16))
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-ff", "side", "-m", "Merge the side branch here")
    repository.commit("Ask for a name first", cart_dot_py=lines(17))

    made = make(repository.path)

    assert [query.text for query in made.dataset.queries] == [
        "Ask for a name first",
        "Greet people in the evening",
    ]
    assert (made.left_out["maintenance commits"], made.left_out["merge commits"]) == (2, 1)
    snapshot(sorted(f"{reason}: {count}" for reason, count in made.left_out.items()))


def test_strange_paths_and_subjects(repository):
    repository.commit("Initial commit", **{"a b__ümläut ☃_dot_txt": lines(9)})
    repository.commit(
        "Überall “Anführungszeichen” \x02 setzen (#12)", **{"a b__ümläut ☃_dot_txt": "x\n"}
    )
    (query,) = make(repository.path).dataset.queries
    assert query.text == "Überall “Anführungszeichen” \x02 setzen"
    assert [j.reference.path for j in query.judgments] == ["a b/ümläut ☃.txt"]


def test_a_folder_of_a_repository_stands_for_itself(repository):
    repository.commit("Initial commit", app__cart_dot_py=lines(9), docs__cart_dot_md=lines(9))
    repository.commit(
        "Round prices half up", app__cart_dot_py=lines(10), docs__cart_dot_md=lines(10)
    )
    repository.commit("Explain what rounding means", docs__cart_dot_md=lines(11))
    (query,) = make(repository.path / "app").dataset.queries
    assert [j.reference.path for j in query.judgments] == ["cart.py"]


def test_globs_bound_the_corpus_and_the_answers(repository):
    repository.commit("Initial commit", cart_dot_py=lines(9), cart_dot_md=lines(9))
    repository.commit("Round prices half up", cart_dot_py=lines(10), cart_dot_md=lines(10))
    made = make(repository.path, include=("*.md",))
    assert [j.reference.path for j in made.dataset.queries[0].judgments] == ["cart.md"]
    assert made.dataset.corpus["include"] == ["*.md"]
    assert made.documents == 1


def test_a_shallow_clone_is_enough(repository, tmp_path):
    repository.commit("Initial commit", cart_dot_py=lines(9))
    for number in range(5):
        repository.commit(f"Say thanks {number} times over", cart_dot_py=lines(10 + number))
    shallow = Repository(tmp_path / "shallow")
    url = repository.path.as_uri()
    subprocess.run(["git", "clone", "-q", "--depth", "3", url, str(shallow.path)], check=True)
    assert len(make(shallow.path).dataset.queries) == 2


def test_one_seed_takes_the_same_commits(repository):
    repository.commit("Initial commit", cart_dot_py=lines(9))
    for number in range(40):
        repository.commit(f"Say thanks {number} times over", cart_dot_py=lines(10 + number))
    texts = [
        [q.text for q in make(repository.path, queries=9, seed=s).dataset.queries]
        for s in (1, 1, 2)
    ]
    assert texts[0] == texts[1] != texts[2]
    assert len(texts[0]) == 9


@pytest.mark.parametrize("commits", [0, 1])
def test_too_short_a_history_is_said(repository, commits, snapshot):
    for _ in range(commits):
        repository.commit("Start with something small", cart_dot_py=lines(3))
    with pytest.raises(InputError) as raised:
        make(repository.path)
    assert raised.value.where == str(repository.path)
    snapshot(without_git(raised.value))


def test_nothing_to_ask_is_said(repository, snapshot):
    repository.commit("Initial commit", cart_dot_py=lines(3))
    repository.commit("wip", cart_dot_py=lines(4))
    with pytest.raises(InputError, match=r"maintenance commits \(2\)") as raised:
        make(repository.path)
    snapshot(raised.value)


def test_no_repository_and_no_such_revision_are_said(repository, tmp_path):
    with pytest.raises(InputError, match="git repository"):
        make(tmp_path)
    repository.commit("Initial commit", cart_dot_py=lines(3))
    code = Code(
        {"path": str(repository.path), "revision": "nope"}, open_corpus, None, None, untracked
    )
    with pytest.raises(InputError, match="unknown revision"):
        git_history(code=code)


@pytest.mark.parametrize(
    "where",
    [
        {"source": "stdlib"},
        {"source": "jsonl", "path": "docs.jsonl"},
        {"path": __file__},
        {"path": "a\0b"},
        {"path": 3},
        {},
    ],
)
def test_a_corpus_of_another_kind_has_no_history(where):
    with pytest.raises(InputError, match=r"git repository\n  hint: .*git clone"):
        git_history(code=Code(where, open_corpus, None, None, untracked))


def test_a_repository_may_be_named_by_its_source(repository):
    repository.commit("Initial commit", cart_dot_py=lines(3))
    repository.commit("Round prices half up", cart_dot_py=lines(4))
    code = Code({"git": str(repository.path)}, open_corpus, None, None, untracked)
    made = git_history(code=code)
    assert (made.dataset.name, len(made.dataset.queries), made.documents) == ("shop", 1, 1)


def test_patterns_that_leave_nothing_are_said_with_what_was_left_out(repository, snapshot):
    repository.commit("Initial commit", cart_dot_py=lines(3))
    repository.commit("Round prices half up", cart_dot_py=lines(4))
    repository.commit("wip", cart_dot_py=lines(5))
    with pytest.raises(InputError) as raised:
        make(repository.path, include=("*.nothing",))
    assert raised.value.problem.count("(1)") == 3
    assert "include" in raised.value.hint
    snapshot(raised.value)


def test_a_repository_with_holes_is_said(repository, snapshot):
    repository.commit("Initial commit", cart_dot_py=lines(3))
    repository.commit("Round prices half up", cart_dot_py=lines(4))
    blob = repository.git("rev-parse", "HEAD:cart.py")
    place = repository.path / ".git" / "objects" / blob[:2] / blob[2:]
    place.chmod(0o600)
    place.unlink()
    with pytest.raises(InputError) as raised:
        make(repository.path)
    assert raised.value.where == str(repository.path)
    snapshot(without_git(raised.value))


@pytest.mark.parametrize("settings", [{"queries": 0}, {"max_files": 0}, {"seed": -1}])
def test_impossible_settings_are_refused(repository, settings):
    with pytest.raises(InputError, match="too small"):
        make(repository.path, **settings)


@pytest.mark.parametrize(
    ("subject", "reason"),
    [
        ("Release the lock before waiting", ""),
        ("Format dates as people write them", "maintenance commits"),  # looks like formatting
        ("Release v2.1", "maintenance commits"),
        ("chore(deps): bump foo from 1 to 2", "maintenance commits"),
        ("1.2.3", "maintenance commits"),
        ("Prepare for the next release", "maintenance commits"),
        ("fix typo in the manual", "maintenance commits"),
        ("reverts the previous change", "reverts"),
        ("Two words", "short subjects"),
        ("", "short subjects"),
        ("Let parse_args take lists", "subjects that name a changed file"),
        ("Let ParseArgs take lists", "subjects that name a changed file"),
        ("Let parse-args.py take lists", "subjects that name a changed file"),
        ("Let arguments be lists too", ""),
    ],
)
def test_subjects(subject, reason):
    commit = Commit(
        "c", ("p",), subject, (ChangedFile("src/parse_args.py", "src/parse_args.py", 1),)
    )
    assert commit_refusal(commit, max_files=10) == reason


def test_a_part_of_a_word_is_no_name():
    assert not names_a_file("Carting things around", ["cart.py"])
    assert names_a_file("The cart is full", ["cart.py"])
    assert names_a_file("The shopping cart is full", ["shopping_cart.py"])
    assert not names_a_file("The io is slow", ["io.py"])  # too short to say


def test_the_newest_start_with_enough_commits_wins():
    # Commits 3, 4 and 5 change files that were born in 0, 2 and 4.
    births = [(3, 0), (4, 2), (5, 4)]
    assert best_start(births, 6, wanted=1) == 5
    assert best_start(births, 6, wanted=2) == 3
    assert best_start(births, 6, wanted=9) == 3  # the most that there is


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs this project's own history")
def test_on_this_project():
    made = make(ROOT, queries=10)
    assert made.dataset.queries
    present = {d.path for d in open_corpus(made.dataset.corpus).documents(texts=False)}
    assert {j.reference.path for q in made.dataset.queries for j in q.judgments} <= present
