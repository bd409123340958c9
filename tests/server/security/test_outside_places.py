"""Places that look allowed and lead elsewhere: repositories, links, folders of a process."""

import os
import subprocess

import pytest

from assay.corpora.open_corpus import open_corpus
from assay.errors import AssayError, InputError
from assay.workflows.service.allowed import Allowed

SECRET = "the secret of another branch"
CLEAN = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
AUTHOR = ("-c", "user.name=a", "-c", "user.email=a@b")


def in_git(folder, *words):
    subprocess.run(["git", *words], cwd=folder, check=True, env=CLEAN, timeout=60)


def make_repository(folder):
    """A repository whose branch `secret` has a file that the others lack."""
    folder.mkdir(parents=True)
    in_git(folder, "init", "-q", "-b", "main")
    (folder / "a.md").write_text("allowed")
    in_git(folder, "add", "a.md")
    in_git(folder, *AUTHOR, "commit", "-qm", "a")
    in_git(folder, "checkout", "-qb", "secret")
    (folder / "s.md").write_text(SECRET)
    in_git(folder, "add", "s.md")
    in_git(folder, *AUTHOR, "commit", "-qm", "s")
    in_git(folder, "checkout", "-q", "main")
    return folder


@pytest.fixture
def root(tmp_path):
    """A folder that is allowed; its neighbours are not."""
    (tmp_path / "docs").mkdir()
    return tmp_path.resolve() / "docs"


@pytest.fixture
def allowed(root):
    return Allowed([f"corpus={root}", f"run_file={root}"])


def as_worktree(outside, root):
    in_git(outside, "worktree", "add", "-q", "-b", "copy", str(root / "here"))


def as_git_file(outside, root):
    (root / "here").mkdir()
    (root / "here/.git").write_text(f"gitdir: {outside}/.git\n")


def as_git_link(outside, root):
    (root / "here").mkdir()
    (root / "here/.git").symlink_to(outside / ".git")


def as_linked_objects(outside, root):
    make_empty(root / "here")
    (root / "here/.git/objects").rename(root / "here/.git/before")
    (root / "here/.git/objects").symlink_to(outside / ".git/objects")
    take_branches(outside, root / "here")


def as_linked_packs(outside, root):
    in_git(outside, "repack", "-qad")
    make_empty(root / "here")
    (root / "here/.git/objects/pack").rmdir()
    (root / "here/.git/objects/pack").symlink_to(outside / ".git/objects/pack")
    take_branches(outside, root / "here")


def as_alternate(outside, root):
    make_empty(root / "here")
    line = os.path.relpath(outside / ".git/objects", root / "here/.git/objects")
    (root / "here/.git/objects/info/alternates").write_text(f"# lent\n{line}\n")
    take_branches(outside, root / "here")


def as_alternate_of_an_alternate(outside, root):
    for name, lender in (("between", outside), ("here", root / "between")):
        make_empty(root / name)
        line = f"{lender}/.git/objects\n"
        (root / name / ".git/objects/info/alternates").write_text(line)
        take_branches(outside, root / name)


def make_empty(folder):
    folder.mkdir()
    in_git(folder, "init", "-q", "-b", "main")


def take_branches(source, target):
    """Point the branches of a repository at commits that it finds in objects of another one."""
    for name in ("main", "secret"):
        told = subprocess.check_output(["git", "-C", source, "rev-parse", name], env=CLEAN)
        (target / ".git/refs/heads" / name).write_bytes(told)


WAYS = [
    as_worktree,
    as_git_file,
    as_git_link,
    as_linked_objects,
    as_linked_packs,
    as_alternate,
    as_alternate_of_an_alternate,
]


@pytest.mark.parametrize("way", WAYS)
def test_a_repository_outside_is_refused_whatever_leads_to_it(root, allowed, way):
    way(make_repository(root.parent / "outside"), root)
    place = f"{root}/here"
    found = open_corpus({"git": place, "revision": "secret"}).documents()
    assert SECRET in [one.text for one in found]  # it leads there
    for where in (
        {"git": place, "revision": "secret"},
        {"source": "git", "path": place},
        {"source": "git", "repository": place, "revision": "secret"},
        {"path": f"git:{place}@secret"},
        {"repository": f"git:{place}@secret"},
    ):
        with pytest.raises(InputError, match="is not allowed"):
            allowed.refuse_corpus(where)


def test_a_folder_of_a_repository_that_begins_above_is_refused(tmp_path):
    outside = make_repository(tmp_path.resolve() / "outside")
    (outside / "docs").mkdir()
    (outside / "docs/b.md").write_text("allowed, too")
    allowed = Allowed([f"corpus={outside}/docs"])
    with pytest.raises(InputError, match="is not allowed"):
        allowed.refuse_corpus({"git": f"{outside}/docs"})
    allowed.refuse_corpus({"folder": f"{outside}/docs"})


def test_a_repository_and_its_worktree_in_the_allowed_folder_are_taken(root, allowed):
    make_repository(root / "sources/own")
    in_git(root / "sources/own", "worktree", "add", "-q", "-b", "copy", str(root / "copy"))
    for name in ("sources/own", "sources/own/.git", "copy"):
        allowed.refuse_corpus({"git": f"{root}/{name}"})


PROCESS = ["/proc/self/cwd", "/proc/self/root/srv", "//proc/self/cwd", "/srv/../proc/self/cwd"]


@pytest.mark.parametrize("path", [*PROCESS, "/dev/fd/3"])
def test_a_folder_of_the_process_is_refused(path, root, monkeypatch):
    """Also where it leads to an allowed folder: in a worker it leads to another one."""
    monkeypatch.chdir(root)
    allowed = Allowed(["corpus=/", "run_file=/"])
    for key in ("path", "git", "jsonl"):
        with pytest.raises(InputError, match="is another one for each process"):
            allowed.refuse_corpus({key: path})
    refuse_run_file(allowed, path, "is another one for each process")


@pytest.mark.parametrize("path", ["a.run", "./a.run", "../docs/a.run", "~/a.run", "~root/a.run"])
def test_a_relative_run_file_is_refused(path, root, allowed, monkeypatch):
    monkeypatch.chdir(root)
    (root / "a.run").write_text("q 0 d 1 1 x\n")
    refuse_run_file(allowed, path, "relative path")
    allowed.refuse_settings("x", {"system": {"kind": "run_file", "path": f"{root}/a.run"}})


def refuse_run_file(allowed, path, problem):
    with pytest.raises(AssayError, match=problem):
        allowed.refuse_settings("x", {"system": {"kind": "run_file", "path": path}})
