"""Write a repository of code: python make_repository.py FOLDER FILES SEED.

Most files are modules of the standard library whose definitions got other names, so that no two
files are alike; the rest is TypeScript, Go and Markdown, made of the same names.
"""

import json
import os
import random
import re
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

SMALLEST, LARGEST = 1_000, 17_000  # bytes of a module: the mean file of a repository has some 7 KB
SHARES = {"py": 0.82, "ts": 0.07, "go": 0.06, "md": 0.05}
LONG_AGO = 1_600_000_000  # a file of this moment is read again each time: it may still change
DEFINED = re.compile(r"^\s*(?:def|class) (\w{4,})", re.MULTILINE)
WORD = re.compile(r"[A-Za-z_]\w*")
VERBS = ["open", "read", "write", "find", "merge", "split", "parse", "check", "close", "count"]
NOUNS = ["buffer", "record", "session", "header", "packet", "column", "branch", "ledger", "margin"]


def main(folder: Path, count: int, seed: int) -> dict[str, int]:
    """Write the files, and count them and their bytes."""
    chance, modules, total = random.Random(seed), _modules(), 0
    kinds = chance.choices(list(SHARES), list(SHARES.values()), k=count)
    for number, kind in enumerate(kinds):
        text = _python(chance, modules) if kind == "py" else MAKERS[kind](chance)
        file = folder / chance.choice(NOUNS) / chance.choice(VERBS) / f"file_{number}.{kind}"
        file.parent.mkdir(parents=True, exist_ok=True)
        total += file.write_bytes(text.encode())
        os.utime(file, (LONG_AGO, LONG_AGO))
    return {"files": count, "bytes": total}


def _modules() -> list[str]:
    paths = sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))
    chosen = [
        path
        for path in paths
        if "site-packages" not in path.parts
        and not path.match("test/*")
        and SMALLEST <= path.stat().st_size <= LARGEST
    ]
    texts = [path.read_bytes().decode("utf-8", "replace") for path in chosen]
    return [text for text in texts if DEFINED.search(text)]


def _name(chance: random.Random) -> str:
    return f"{chance.choice(VERBS)}_{chance.choice(NOUNS)}_{chance.randrange(10_000)}"


def _python(chance: random.Random, modules: list[str]) -> str:
    """Give the definitions of a module other names, wherever they stand in it."""
    text = chance.choice(modules)
    others = {name: _name(chance) for name in sorted(set(DEFINED.findall(text)))}
    return WORD.sub(lambda found: others.get(found[0], found[0]), text)


def _typescript(chance: random.Random) -> str:
    parts = []
    for _ in range(chance.randint(3, 30)):
        name, other = _name(chance), _name(chance)
        parts.append(
            f"/** {name.replace('_', ' ')}, unless {other.replace('_', ' ')} did it before. */\n"
            f"export async function {name}(path: string, limit = 10): Promise<string[]> {{\n"
            f"  const {other} = await load(path);\n"
            f"  return {other}.filter((line) => line.length > limit).slice(0, limit);\n}}\n"
        )
    return "import { load } from './load';\n\n" + "\n".join(parts)


def _go(chance: random.Random) -> str:
    parts = ["package ledger\n"]
    for _ in range(chance.randint(3, 30)):
        name = _name(chance).title().replace("_", "")
        parts.append(
            f"// {name} counts what is left.\n"
            f"func {name}(entries []Entry, limit int) (int, error) {{\n"
            f"\tif len(entries) > limit {{\n\t\treturn 0, ErrTooMany\n\t}}\n"
            f"\treturn limit - len(entries), nil\n}}\n"
        )
    return "\n".join(parts)


def _markdown(chance: random.Random) -> str:
    parts = ["# How it works\n"]
    for _ in range(chance.randint(3, 20)):
        names = [_name(chance).replace("_", " ") for _ in range(30)]
        parts.append(f"## To {names[0]}\n\nFirst {', then '.join(names[1:])}.\n")
    return "\n".join(parts)


MAKERS: dict[str, Callable[[random.Random], str]] = {
    "ts": _typescript,
    "go": _go,
    "md": _markdown,
}

if __name__ == "__main__":
    _, target, number, seeded = sys.argv
    print(json.dumps(main(Path(target), int(number), int(seeded))))
