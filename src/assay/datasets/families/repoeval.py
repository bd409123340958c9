"""RepoEval: calls of a repository to its own code, and the files that contain or define them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from assay.datasets.describe_left_out import describe_left_out
from assay.datasets.families._call_sites import CallSite, call_sites
from assay.datasets.families._called_files import RepositoryDefinition
from assay.datasets.families._collect import query_keys
from assay.datasets.families._prompts import (
    USED_UP,
    Ending,
    Prompt,
    Shape,
    prompt_of,
    prompt_refusal,
)
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
)
from assay.datasets.families._truth import SCALE
from assay.datasets.families._windows import (
    Lines,
    MaskedCorpus,
    elsewhere,
    survives,
    without_windows,
)
from assay.errors import InputError
from assay.records import (
    Code,
    Corpus,
    Dataset,
    Document,
    GeneratedDataset,
    Judgment,
    Query,
    Rationale,
    Reference,
    Track,
)

__all__ = ["repoeval"]

SPARE = 3  # times as many calls are looked at as are asked for, since some do not serve
SPOKEN = "Python, TypeScript, JavaScript, Go, Rust or Java"
Task = Literal["verbatim", "masked", "definition"]
DESCRIPTIONS = {
    "verbatim": "The lines up to a call; the file that holds them has grade 3. The query occurs "
    "verbatim in it, so this measures exact match only: see masked and definition.",
    "masked": "The lines up to a call; the file that they were taken out of has grade 3. The "
    "corpus beside this file lacks them.",
    "definition": "The lines up to a call; the files that define what is called have grade 3. The "
    "calling file has grade 0 and is named in exclude: a run does not count it.",
}


def repoeval(  # noqa: PLR0913 (each is an option of the command)
    *,
    code: Code,
    seed: Seed = 0,
    queries: Queries = 100,
    task: Annotated[
        Task,
        "What to find: the calling file, the same file without these lines, or the definition.",
    ] = "definition",
    lines: Annotated[int, "Lines per query, up to the call; 0 for all lines above it."] = 10,
    characters: Annotated[int, "Keep only the last N characters of a query; 0 for all."] = 0,
    call: Annotated[
        Ending, "End the query with the call (kept) or before its line (cut)."
    ] = "kept",
    per_file: Annotated[int, "Maximum number of queries per file and per called function."] = 3,
    include: Include = (),
    exclude: Exclude = (),
) -> GeneratedDataset:
    """Make queries from the lines before calls in Python, TypeScript, Go, Rust or Java code.

    The same seed selects the same calls for each task, so the tasks can be compared. Queries do not
    overlap, except with --lines 0 and --characters 0 in the tasks verbatim and definition.
    """
    check_sizes(queries=queries)
    at_least(1, per_file=per_file)
    at_least(0, lines=lines, characters=characters)
    at_most(1_000, "use 0 for all lines", lines=lines)
    at_most(1_000_000, "use 0 for all characters", characters=characters)
    at_most(1_000, "queries should come from several files", per_file=per_file)
    shape = Shape(lines, characters, call, apart=bool(lines or characters) or task == "masked")
    chance, left_out, counted = SeededRandom(seed), Counter[str](), Counter[str]()
    source = {**code.where} | globs(include, exclude)
    corpus = code.open_corpus(source)
    read = code.track(corpus.documents(), "finding calls", unit="documents")
    sites = chance.shuffled(call_sites(_counted(read, counted), code, left_out))
    files = _texts(corpus, _first(sites, SPARE * queries, SPARE * per_file), code.track)
    likely = _choose(sites, files, queries + queries // 4, shape, per_file, left_out)
    chosen = _alone(likely, files, corpus, code.track, left_out)[:queries]
    chosen = _settled(chosen, files) if shape.apart else chosen
    if not chosen:
        hint = f"expected files in {SPOKEN} that call functions of other files of the corpus"
        ignored = describe_left_out(left_out)
        problem = "no call can be used as a query" + (f"; ignored: {ignored}" if ignored else "")
        raise InputError(problem, where=corpus.name, hint=hint)
    masked = _masked(corpus, chosen) if task == "masked" else None
    dataset = _dataset(corpus.name, task, chosen, source)
    return GeneratedDataset(
        dataset, corpus=masked, left_out=dict(+left_out), counted=counted["documents"]
    )


def _counted(documents: Iterable[Document], counted: Counter[str]) -> Iterator[Document]:
    for document in documents:
        counted["documents"] += 1
        yield document


def _first(sites: Sequence[CallSite], most: int, per_file: int) -> set[str]:
    """List the files of the sites that come first, with some to spare."""
    taken: Counter[str] = Counter()
    called: Counter[tuple[RepositoryDefinition, ...]] = Counter()
    for site in sites:
        if taken[site.path] < per_file and called[site.defined] < per_file:
            taken[site.path] += 1
            called[site.defined] += 1
        if taken.total() >= most:
            break
    return set(taken)


def _texts(corpus: Corpus, wanted: set[str], track: Track) -> dict[str, list[str]]:
    """Read the lines of the files that are wanted."""
    documents = track(corpus.documents(hashes=False), "reading files", unit="documents")
    return {d.path: d.text.split("\n") for d in documents if d.path in wanted}


def _choose(
    sites: Sequence[CallSite],
    files: Mapping[str, list[str]],
    queries: int,
    shape: Shape,
    per_file: int,
    left_out: Counter[str],
) -> list[Prompt]:
    """Take prompts in the order of the sites, each of which occurs in one place only.

    Files that their prompts use up serve where there are no others.
    """
    chosen: list[Prompt] = []
    spare: list[Prompt] = []
    for site in (site for site in sites if site.path in files):
        if len(chosen) == queries:
            break
        prompt = prompt_of(site, files[site.path], shape)
        beside = [other for other in chosen if other.site.path == site.path]
        alike = sum(other.site.defined == site.defined for other in chosen)
        reason = "calls above the limit per called function" if alike >= per_file else ""
        reason = reason or prompt_refusal(prompt, files[site.path], beside, shape, per_file)
        left_out[reason] += bool(reason)
        if not reason or reason == USED_UP:
            (spare if reason else chosen).append(prompt)
    return chosen or _apart(spare, left_out)[:queries]


def _apart(spare: list[Prompt], left_out: Counter[str]) -> list[Prompt]:
    """Take one prompt of each file that it uses up."""
    first = {prompt.site.path: prompt for prompt in reversed(spare)}
    left_out[USED_UP] -= len(first)
    return list(reversed(first.values()))


def _alone(
    likely: list[Prompt],
    files: Mapping[str, list[str]],
    corpus: Corpus,
    track: Track,
    left_out: Counter[str],
) -> list[Prompt]:
    """Keep the prompts whose lines occur in no other file: that one would be relevant, too."""
    documents = track(corpus.documents(hashes=False), "finding copies", unit="documents")
    inside = [(p.site.path, files[p.site.path][p.lines[0] - 1 : p.lines[1]]) for p in likely]
    copied = elsewhere(inside, documents)
    left_out["calls whose lines occur in another file"] += len(copied)
    return [prompt for at, prompt in enumerate(likely) if at not in copied]


def _settled(chosen: list[Prompt], files: Mapping[str, list[str]]) -> list[Prompt]:
    """Drop what could be read again where other windows were taken out of the same file."""
    windows: defaultdict[str, list[Lines]] = defaultdict(list)
    for prompt in chosen:
        windows[prompt.site.path].append(prompt.lines)
    left = {path: without_windows(files[path], cut) for path, cut in windows.items()}
    rest = [w for w in chosen if not survives(w.text.split("\n"), left[w.site.path])]
    return rest if len(rest) == len(chosen) else _settled(rest, files)


def _masked(corpus: Corpus, chosen: Sequence[Prompt]) -> MaskedCorpus:
    windows: defaultdict[str, list[Lines]] = defaultdict(list)
    for prompt in chosen:
        windows[prompt.site.path].append(prompt.lines)
    return MaskedCorpus(corpus, dict(windows))


def _dataset(name: str, task: Task, chosen: Sequence[Prompt], source: Mapping[str, Any]) -> Dataset:
    keys = query_keys(task, len(chosen))
    queries = (_query(key, name, task, one) for key, one in zip(keys, chosen, strict=True))
    return Dataset(
        f"{name}-{task}",
        tuple(queries),
        description=DESCRIPTIONS[task],
        scale=SCALE,
        corpus=source,
    )


def _query(key: str, collection: str, task: Task, prompt: Prompt) -> Query:
    site = prompt.site
    here = Judgment(
        Reference(path=site.path),
        0 if task == "definition" else 3,
        because=Rationale("the calling file", prompt.lines if task != "masked" else None),
    )
    told = {"task": task, "call": site.called, "lines": list(prompt.lines)}
    return Query(
        key,
        prompt.text,
        (*_defining(site), here) if task == "definition" else (here,),
        category=site.language,
        collection=collection,
        extra=told | ({"exclude": [site.path]} if task == "definition" else {}),
    )


def _defining(site: CallSite) -> list[Judgment]:
    """Judge each file that defines what is called, with the definition; any of several will do."""
    by_path: defaultdict[str, list[RepositoryDefinition]] = defaultdict(list)
    for place in site.defined:
        by_path[place.path].append(place)
    return [
        Judgment(
            Reference(path=path, symbol=place.name),
            3,
            group=path if len(places) > 1 else "",
            because=Rationale(f"defines {place.name}", (place.first, place.last)),
        )
        for path, places in sorted(by_path.items())
        for place in places
    ]
