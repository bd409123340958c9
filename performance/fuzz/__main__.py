"""python -m performance.fuzz: mutated inputs, and what no input may lead to."""

import argparse
import json
import os
import random
import shlex
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

from performance.fuzz.inputs import Kind, prepare
from performance.fuzz.mutate import HOSTILE, mutated
from performance.fuzz.watch import faults_of, on_a_pipe, on_a_terminal

__all__ = ["fuzz", "main"]

LIBRARIES = ["polars", "rich.progress", "rich.console", "jsonschema_rs", "scipy.stats", "yaml"]
LIBRARIES += ["sqlalchemy", "alembic.migration", "tantivy", "jinja2"]
EVERY = 10  # one input in so many is shown on a pseudo-terminal
COMMANDS = [
    "eval",
    "compare",
    "show",
    "report",
    "run",
    "search",
    "index",
    "health",
    "list",
    "cache",
]
COMMANDS += [
    "dataset check",
    "dataset audit",
    "dataset convert",
    "dataset resolve",
    "init",
]
OPTIONS = [
    "-m",
    "-k",
    "-o",
    "--json",
    "--qrels",
    "--format",
    "--ties",
    "--seed",
    "--run",
    "--query",
]
OPTIONS += ["--suite", "--model", "--workspace", "--plan", "--per-query", "--expect", "--override"]
FILES = [
    "qrels.trec",
    "run.trec",
    "dataset.json",
    "report.json",
    "benchmark.yaml",
    "corpus",
    "missing",
]


def fuzz(inputs: int, seed: int, *, only: str = "", jobs: int = 1) -> dict[str, object]:
    """Try so many inputs; return counts, and each fault with what repeats it."""
    shards = [range(start, inputs, jobs) for start in range(jobs)]
    if jobs == 1:
        tried = [_shard(shards[0], seed, only)]
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
            tried = [*pool.map(_shard, shards, [seed] * jobs, [only] * jobs)]
    codes, kinds = (sum((one[at] for one in tried), Counter[str]()) for at in (0, 1))
    screens = len(range(0, inputs, EVERY))
    told: dict[str, object] = {"inputs": inputs, "seed": seed, "on_a_pseudo_terminal": screens}
    told |= {"exit_codes": dict(sorted(codes.items())), "kinds": dict(sorted(kinds.items()))}
    return told | {"faults": [fault for one in tried for fault in one[2]]}


def _shard(
    numbers: range, seed: int, only: str
) -> tuple[Counter[str], Counter[str], list[dict[str, object]]]:
    """Try the inputs of these numbers, in a folder of their own."""
    codes: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    faults: list[dict[str, object]] = []
    for name in LIBRARIES:
        import_module(name)  # once, and not in each child
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        os.environ |= {"ASSAY_WORKSPACE": str(Path(folder) / "workspace"), "TERM": "xterm-256color"}
        kinds = prepare(Path(folder))
        weights = [kind.weight for kind in kinds]
        for number in numbers:
            chance = random.Random(f"{seed}/{number}")
            kind = chance.choices(kinds, weights)[0]
            if only not in kind.name:
                continue
            code, arguments, found = _tried(kind, chance, screen=number % EVERY == 0)
            codes[str(code)] += 1
            tried[kind.name] += 1
            said = {"input": number, "kind": kind.name, "command": arguments}
            faults += [said | {"fault": one} for one in found]
            for one in found:
                print(f"{number} {kind.name} {shlex.join(arguments)}: {one}", file=sys.stderr)
    return codes, tried, faults


def _tried(kind: Kind, chance: random.Random, *, screen: bool) -> tuple[int, list[str], list[str]]:
    run = on_a_terminal if screen else on_a_pipe
    if not kind.path:
        arguments = _arguments(chance)
        code, out, err = run(arguments)
        return code, arguments, faults_of(code, out, err)
    path = Path(kind.path)
    before = path.read_bytes()
    arguments = shlex.split(chance.choice(kind.commands).format(id=_id()))
    try:
        path.write_bytes(mutated(before, path.name, chance))
        code, out, err = run(arguments)
    finally:
        path.write_bytes(before)
        for ending in ("-wal", "-shm"):
            Path(f"{path}{ending}").unlink(missing_ok=True)
    return code, arguments, _explained(code, out, err)


def _explained(code: int, out: str, err: str) -> list[str]:
    found = faults_of(code, out, err)
    lines = [line for line in (out + err).splitlines() if line.strip()]
    return [
        f"{one} [{' / '.join(lines[-3:])[:600]}]" if one == "traceback" else one for one in found
    ]


def _id() -> str:
    return str(json.loads(Path("other.json").read_bytes()).get("id", ""))[:8]


def _arguments(chance: random.Random) -> list[str]:
    words = [*chance.choice(COMMANDS).split(), *chance.choices(FILES, k=chance.randrange(3))]
    words += chance.choices([*OPTIONS, *HOSTILE, *FILES], k=chance.randrange(4))
    if chance.random() < 0.5:
        words[chance.randrange(len(words))] += chance.choice(HOSTILE)
    return [word.replace("\0", "") for word in words]


def main() -> None:
    """Read the options, try, and write the result."""
    options = argparse.ArgumentParser(prog="python -m performance.fuzz", description=__doc__)
    options.add_argument("--inputs", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="", help="kinds whose name holds this")
    options.add_argument("--number", type=int, help="only this input, of a result that has faults")
    options.add_argument("--jobs", type=int, default=2, help="processes at once")
    options.add_argument("-o", "--output", help="a JSON file for the result")
    given = options.parse_args()
    if given.number is not None:
        print(_shard(range(given.number, given.number + 1), given.seed, given.only))
        return
    told = fuzz(given.inputs, given.seed, only=given.only, jobs=given.jobs)
    text = json.dumps(told, indent=1, ensure_ascii=True) + "\n"
    if given.output:
        Path(given.output).write_text(text, encoding="utf-8")
    print(text)
    sys.exit(1 if told["faults"] else 0)


if __name__ == "__main__":
    main()
