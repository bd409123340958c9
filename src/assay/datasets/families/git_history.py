"""Git history: what people said they changed, and which files they changed for it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from assay.datasets.describe_left_out import describe_left_out
from assay.datasets.families._collect import query_keys
from assay.datasets.families._lineage import Lineage, best_start, lineages
from assay.datasets.families._log import Commit, read_log
from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families._settings import (
    Exclude,
    Include,
    Queries,
    Seed,
    at_least,
    at_most,
    check_sizes,
    globs,
    listed,
)
from assay.datasets.families._subjects import clean_subject, commit_refusal, names_a_file
from assay.datasets.families._truth import SCALE
from assay.errors import InputError
from assay.records import (
    Code,
    Dataset,
    GeneratedDataset,
    Judgment,
    Query,
    Rationale,
    Reference,
    Track,
)
from assay.text.count_noun import count_noun

__all__ = ["git_history"]

DESCRIPTION = (
    "Subjects of commits, and the files that they changed, over the files as they were before the "
    "oldest of these commits ({revision}). Grade 3: the file with the most changed lines, and "
    "those with at least half as many; 2: at least a tenth as many; 1: fewer. Only files that were "
    "there already count, by the name they had. Left out: {left_out}."
)
SPARE = 2  # times as many commits as queries are looked for, so that a seed has a choice


def git_history(
    *,
    code: Code,
    seed: Seed = 0,
    queries: Queries = 100,
    max_files: Annotated[int, "Ignore commits that change more files than this."] = 10,
    include: Include = (),
    exclude: Exclude = (),
) -> GeneratedDataset:
    """Make queries from commit subjects; the changed files are the relevant documents."""
    check_sizes(queries=queries)
    at_least(1, max_files=max_files)
    at_most(10_000, "a commit of so many files is not specific", max_files=max_files)
    chance = SeededRandom(seed)
    where = code.where
    commits = _log(where, code.track)
    reasons = [commit_refusal(commit, max_files=max_files) for commit in commits]
    touched = lineages(commits)
    start = _start(commits, reasons, touched, SPARE * queries)
    revision = commits[start].parents[0]
    source = {**where, "source": "git", "revision": revision} | globs(include, exclude)
    corpus = code.open_corpus(source)
    present = {document.path for document in corpus.documents(texts=False, hashes=False)}
    left_out = Counter(reason for reason in reasons[start:] if reason)
    left_out["commits older than the corpus"] = start
    found = _questions(commits, reasons, touched, start, present, left_out)
    chosen = chance.sample(found, queries)
    left_out["more than the requested number of queries"] = len(found) - len(chosen)
    name = str(where.get("name") or _repository(where).resolve().name)
    _refuse_none(chosen, name, left_out)
    said = DESCRIPTION.format(revision=revision[:12], left_out=listed(left_out))
    asked = tuple(
        _query(key, name, commit, changed)
        for key, (commit, changed) in zip(query_keys("commit", len(chosen)), chosen, strict=True)
    )
    dataset = Dataset(name, asked, description=said, scale=SCALE, corpus=source)
    return GeneratedDataset(dataset, counted=len(present), left_out=dict(+left_out))


def _repository(where: Mapping[str, Any]) -> Path:
    """Return the folder of the repository; a corpus of another kind has no history."""
    place = next((where[key] for key in ("path", "git", "repository") if where.get(key)), None)
    source = where.get("source", "git")
    named = isinstance(place, str | Path) and "\0" not in str(place)
    if source not in ("git", "folder") or not named or Path(str(place)).is_file():
        hint = "give the path of a git clone, or git:REPOSITORY@REVISION"
        raise InputError("is not a git repository", where=str(place or source), hint=hint)
    return Path(str(place))


Changed = list[tuple[str, int]]  # paths in the corpus, with the number of changed lines


def _log(where: Mapping[str, Any], track: Track) -> list[Commit]:
    """Read the commits, oldest first."""
    repository, revision = _repository(where), str(where.get("revision", "HEAD"))
    log = list(track(read_log(repository, revision), "reading the git log", unit="commits"))
    if len(log) < 2:
        hint = "expected at least two commits; fetch the full history: git fetch --unshallow"
        raise InputError("the git history is too short", where=str(repository), hint=hint)
    return log[::-1]


def _start(
    commits: Sequence[Commit], reasons: Sequence[str], touched: list[list[Lineage]], wanted: int
) -> int:
    """Choose the oldest commit that is used."""
    births = [
        (at, min(file.birth for file in touched[at]))
        for at, reason in enumerate(reasons)
        if not reason
    ]
    births = [(at, birth) for at, birth in births if birth < at]
    start = best_start(births, len(commits), wanted) if births else len(commits)
    with_parent = [at for at in range(min(start + 1, len(commits))) if commits[at].parents]
    if not births or not with_parent:
        hint = "use a history with subjects of three or more words and changes to existing files"
        left_out = Counter(reason or "commits that only add files" for reason in reasons)
        problem = f"no commit can be used as a query; ignored: {describe_left_out(left_out)}"
        raise InputError(problem, hint=hint)
    return with_parent[-1]


def _questions(
    commits: Sequence[Commit],
    reasons: Sequence[str],
    touched: list[list[Lineage]],
    start: int,
    present: set[str],
    left_out: Counter[str],
) -> list[tuple[Commit, Changed]]:
    """List the commits whose files were there at the start, oldest first."""
    found: dict[str, tuple[Commit, Changed]] = {}
    for at in range(start, len(commits)):
        if reasons[at]:
            continue
        pairs = zip(touched[at], commits[at].changes, strict=True)
        changed = [(file.name_before(start), change.lines) for file, change in pairs]
        changed = [(path, lines) for path, lines in changed if path in present]
        subject = clean_subject(commits[at].subject).casefold()
        if not changed:
            left_out["commits without files of the corpus"] += 1
        elif names_a_file(subject, (path for path, _ in changed)):
            left_out["subjects that name a changed file"] += 1
        else:
            left_out["repeated subjects"] += subject in found
            found[subject] = (commits[at], changed)
    return list(found.values())


def _refuse_none(chosen: Sequence[object], name: str, left_out: Mapping[str, int]) -> None:
    if not chosen:
        hint = "relax include and exclude, or use a repository with a longer history"
        problem = f"no commit can be used as a query; ignored: {describe_left_out(left_out)}"
        raise InputError(problem, where=name, hint=hint)


def _query(key: str, name: str, commit: Commit, changed: Changed) -> Query:
    most = max(lines for _, lines in changed)
    return Query(
        key,
        clean_subject(commit.subject),
        tuple(_judgment(path, lines, most) for path, lines in sorted(changed)),
        collection=name,
        extra={"commit": commit.id},
    )


def _judgment(path: str, lines: int, most: int) -> Judgment:
    grade = 3 if 2 * lines >= most else 2 if 10 * lines >= most else 1
    reason = count_noun(lines, "changed line")
    return Judgment(Reference(path=path), grade, because=Rationale(reason))
