"""Which commits ask something: their subject is about content, and does not name the answer."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from assay.datasets.families._log import Commit

__all__ = ["clean_subject", "commit_refusal", "names_a_file"]

MIN_WORDS = 3
REVERT = re.compile(r"(this reverts|reverts?\b|back ?out\b)", re.IGNORECASE)
# What is done to a project as a whole; at the start of a subject, or after "chore:".
HOUSEKEEPING = re.compile(
    r"""(?:\w+(?:\([^)]*\))?!?:\s*)?        # chore(deps):
    (?:(?:auto-?)?(?:re)?format(?:ting|ted)?\b | fmt\b | lint(?:ing|s)?\b | style\b | whitespace\b
    | bump(?:s|ed|ing)?\b | (?:prepare|cut|tag|start)\b.*\b(?:release|version|development)\b
    | release\W*v?\d | version\W*v?\d | v?\d+\.\d+ | (?:update|upgrade)\s+(?:the\s+)?(?:changelog
    | change\s+log | dependenc | deps\b | lock ?file | requirements\b | submodule | copyright)
    | (?:run|apply|use)\s+(?:black|ruff|prettier|gofmt|rustfmt|isort|clang-format|pre-commit)\b
    | merge\b | wip\b | typos?\b | fix(?:ed|es)?\s+(?:a\s+|some\s+)?typos?\b | changelog\b
    | initial\s+(?:commit|import)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
NUMBER = re.compile(r"\s*\((?:#|gh-)\d+\)\s*$", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+")
SHORTEST = 3  # letters of a file name that count as naming it


def clean_subject(subject: str) -> str:
    """Leave out the number of the pull request, which says nothing."""
    return NUMBER.sub("", subject).strip()


def commit_refusal(commit: Commit, *, max_files: int) -> str:
    """Give the reason why a commit makes no query; empty if it may make one."""
    subject = clean_subject(commit.subject)
    checks = {
        "merge commits": len(commit.parents) > 1,
        "commits that change no file": not commit.changes,
        "bulk changes": len(commit.changes) > max_files,
        "reverts": bool(REVERT.match(subject)),
        "maintenance commits": bool(HOUSEKEEPING.match(subject)),
        "short subjects": len(WORD.findall(subject)) < MIN_WORDS,
        "subjects that name a changed file": names_a_file(
            subject, (change.path for change in commit.changes)
        ),
    }
    return next((reason for reason, holds in checks.items() if holds), "")


def names_a_file(subject: str, paths: Iterable[str]) -> bool:
    """Say whether a subject holds a file's name, with its parts written together or apart."""
    said = _spelled(subject)
    stems = (_spelled(PurePosixPath(path).name.partition(".")[0]) for path in paths)
    return any(len(stem.strip()) >= SHORTEST and stem in said for stem in stems)


def _spelled(text: str) -> str:
    """Take words apart as in snake_case and camelCase, in small letters between spaces."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return f" {' '.join(WORD.findall(apart.casefold()))} "
