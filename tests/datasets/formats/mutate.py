"""Breaks files of every format and loads them: `python -m tests.datasets.formats.mutate N SEED`.

Runs in a process of its own, so that its memory can be measured. Prints one JSON object: how many
inputs were refused and read, the longest time, the largest growth of memory, and what went wrong.
"""

import json
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tests.datasets.formats.mutate_seeds import FOREIGN, PLAIN, RICH

from assay import catalogue
from assay.datasets import formats
from assay.datasets.limits import Limits
from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import AssayError

SECONDS, GROWTH_MB = 2.0, 200
WIDE = Limits(size_bytes=10**9, queries=10**9, judgments=10**9)

ODD_TEXT = [
    "",
    "\x00",
    "\ufeff",
    "\u202e\u0627",
    "a" * 5000,
    "\n",
    "é",
    "'",
    '"',
    "\ud800",
    "=1",
    "#",
]
ODD_VALUES = [
    *(None, True, False, 0, -1, 2, 1.5, 10**30, -(10**30), float("nan"), float("inf"), 1e308),
    *([], {}, [[]], {"": ""}, [None], ["x", "x"], {"x": 1}, {"id": 1}, 1001, -1001, "1", "-0"),
]
ODD_YAML = [
    *(b"&a x", b"*a", b"!!python/object:os.system x", b"!!str 1", b".nan", b".inf", b"-.INF", b"~"),
    *(
        b"yes",
        b"no",
        b"2024-01-01",
        b"0o17",
        b"0x1F",
        b"1_000",
        b"1:30",
        b"1e999",
        b"<<",
        b"|",
        b">",
    ),
    *(b"{a: b, a: c}", b"[" * 120, b"{a: " * 120, b"? x", b"- -", b"'", b'"', b"%TAG", b"\t", b"@"),
]
ODD_BYTES = [
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\n", b"\r\n", b"\t", b" ", b'"'),
    *(b"{", b"}", b"[", b"]", b",", b":", b"-", b"<", b">", b"&", b";", b"#", b"\\", b"\\u0000"),
    *(
        b"\\ud800",
        b"NaN",
        b"1e999",
        b"9" * 5000,
        b"\n---\n",
        b"<top>",
        b"</top>",
        b"&#0;",
        b"<!DOCTYPE x>",
    ),
    *(
        b'"id": 1, "id": 2,',
        b"null",
        b"<!--",
        b"\xe2\x80\xa8",
        b"'" * 50,
        b"=",
        b"\x1f\x8b",
        b"PAR1",
    ),
]


def of_bytes(data, rng):
    """Flip, delete, insert, cut short or double some bytes."""
    at = rng.randrange(len(data) + 1)
    size = rng.choice([1, 1, 2, 5, 20, 200])
    return rng.choice(
        [
            lambda: data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :],
            lambda: data[:at] + data[at + size :],
            lambda: data[:at] + rng.choice(ODD_BYTES) + data[at:],
            lambda: data[:at],
            lambda: data[at:],
            lambda: data + data,
            lambda: data[:at] + data[at : at + size] * rng.choice([2, 3, 100]) + data[at + size :],
            lambda: data.replace(b"\n", b"\r\n"),
            lambda: data.decode("utf-8", "replace").encode("utf-16"),
        ]
    )()


def paths(value, at=()):
    """Return the path of every part of a value."""
    found = [at]
    if isinstance(value, dict):
        found += [path for key in value for path in paths(value[key], (*at, key))]
    if isinstance(value, list):
        found += [path for n, item in enumerate(value) for path in paths(item, (*at, n))]
    return found


def of_json(data, rng):
    """Change the structure of one JSON text, or of one of its lines."""
    lines = data.split(b"\n")
    try:
        value, at = json.loads(data), None
    except (ValueError, RecursionError):
        at = rng.randrange(len(lines))
        try:
            value = json.loads(lines[at])
        except (ValueError, RecursionError):
            return of_bytes(data, rng)
    text = _changed(value, rng)
    if at is None:
        return text
    return b"\n".join([*lines[:at], text, *lines[at + 1 :]])


def _changed(value, rng):  # noqa: C901 - one branch per way of breaking
    if len(paths(value)) == 1:
        return _dumped(rng.choice(ODD_VALUES))
    *parents, last = rng.choice(paths(value)[1:])
    parent = value
    for step in parents:
        parent = parent[step]
    odd = rng.choice([*ODD_VALUES, *ODD_TEXT])
    kind = rng.randrange(7)
    if kind == 0:
        value = odd
    elif kind == 1:
        del parent[last]
    elif kind == 2 and isinstance(parent, dict):
        parent[rng.choice([*ODD_TEXT, "id", "query", "match", "scale", "name", "corpus"])] = odd
    elif kind == 3:
        parent[last] = {"key": [parent[last]]}
    elif kind == 4:
        deep = rng.choice([5, 90, 95, 99, 150, 5000])
        parent[last] = "@deep@"
        lists, objects = "[" * deep + "]" * deep, '{"a":' * deep + "1" + "}" * deep
        nested = rng.choice([lists, objects, "1e999", "-1e400", "1" * 5000])
        return _dumped(value).replace(b'"@deep@"', nested.encode())
    elif kind == 5 and isinstance(parent, dict):
        text = _dumped(value)
        twice = json.dumps(str(last)).encode() + b": 1, "
        place = text.find(json.dumps(str(last)).encode())
        return text[:place] + twice + text[place:]
    else:
        parent[last] = odd
    return _dumped(value)


def _dumped(value):
    return json.dumps(value, ensure_ascii=True).encode()


def of_yaml(data, rng):
    """Change the value, the key or the indentation of one line."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    head, colon, _ = lines[at].partition(b":")
    lines[at] = rng.choice(
        [
            head + colon + b" " + rng.choice(ODD_YAML),
            rng.choice(ODD_YAML) + lines[at],
            b"  " + lines[at],
            lines[at][2:],
            lines[at] + b"\n" + lines[at],
            lines[at] + b"\n---\n" + lines[at],
            head + colon + b" " + json.dumps(rng.choice(ODD_VALUES)).encode(),
            rng.choice(ODD_YAML) + colon + lines[at],
        ]
    )
    return b"\n".join(lines)


def mutated(data, name, rng):
    """Change a file once, or a few times."""
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        kinds = [of_bytes]
        kinds += [of_json, of_json] if data.lstrip()[:1] in (b"{", b"[") else []
        kinds += [of_yaml, of_yaml] if name.endswith((".yaml", ".yml")) else []
        data = rng.choice(kinds)(data, rng)
    return data


def seeds(folder):
    """Write the files that are then broken: {format: [folder of files]}."""
    found = {}
    for name in catalogue.files(formats):
        one = catalogue.find(formats, name)
        ending = one.suffixes[0] if one.suffixes else ""
        for dataset in (RICH, PLAIN) if one.writes else ():
            path = folder / name / dataset.name / f"data{ending}"
            path.parent.mkdir(parents=True)
            save(dataset, path, format=name)
            found.setdefault(name, []).append(path)
        for number, files in enumerate(FOREIGN.get(name, [])):
            path = folder / name / str(number) / f"data{ending}"
            path.parent.mkdir(parents=True)
            if [part[:1] for part in files] == ["."]:  # a file that is known by its ending
                path = path.with_suffix(*files)
                files = {"": files[path.suffix]}
            for part, content in files.items():
                (path / part).parent.mkdir(parents=True, exist_ok=True)
                (path / part if part else path).write_bytes(content)
            found.setdefault(name, []).append(path)
    return found


def broken_copy(seed, folder, rng):
    """Copy a seed into an empty folder and break one of its files, or a name."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    target = folder / seed.name
    if seed.is_dir():
        shutil.copytree(seed, target)
    else:
        shutil.copy(seed, target)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    chosen = rng.choice(files)
    chosen.write_bytes(mutated(chosen.read_bytes(), chosen.name, rng))
    if rng.random() < 0.05:
        other = rng.choice(
            ["qrels.txt", "topics.txt", "meta.json", "data", "x.yaml", "queries.jsonl"]
        )
        chosen.rename(chosen.with_name(other))
        return target if target.exists() else chosen.with_name(other)
    return target


def tried(path, chosen, folder):
    """Load a broken input; a dataset must survive Assay's own JSON. Return whether it was read."""
    try:
        dataset = load(path, format=chosen, limits=WIDE)
    except AssayError as error:
        str(error)
        return False
    kept = folder / "kept.json"
    lost = save(replace(dataset, home=""), kept)
    again = load(kept, limits=WIDE)
    assert again == dataset, f"differs after saving: {lost}"
    assert not lost, lost
    return True


def hang(*_):
    raise TimeoutError


def memory_mb(*, afresh=False):
    """Return the most memory held so far, or since it was last asked for ``afresh`` (Linux).

    What getrusage tells includes the parent's at the fork, so that it is only the second choice.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if afresh:
        with suppress(OSError):  # not everywhere allowed: then the peak is that of all so far
            Path("/proc/self/clear_refs").write_text("5")
    return int(re.search(r"VmHWM:\s+(\d+)", status.read_text()).group(1)) / 1024


def run(number, seed):
    """Break and load as many inputs as asked for."""
    rng = random.Random(seed)
    signal.signal(signal.SIGALRM, hang)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        every = seeds(folder / "seeds")
        for kind, paths in every.items():
            for path in paths:
                assert tried(path, None, folder), kind  # whole, and everything imported
        tally = {"inputs": 0, "read": 0, "refused": 0, "slowest_s": 0.0, "growth_mb": 0.0}
        tally |= {"peak_mb": 0.0, "failures": []}
        for count in range(number):
            kind = list(every)[count % len(every)]
            path = broken_copy(rng.choice(every[kind]), folder / "work", rng)
            for chosen in (None, kind):
                _measure(path, chosen, folder, tally, kind)
            tally["inputs"] += 1
    return tally


def _measure(path, chosen, folder, tally, kind):
    before, start = memory_mb(afresh=True), time.process_time()
    problem = ""
    signal.alarm(30)
    try:
        tally["read" if tried(path, chosen, folder) else "refused"] += 1
    except BaseException:  # noqa: BLE001 - whatever it is, it is what we look for
        problem = traceback.format_exc(limit=-4)
    signal.alarm(0)
    seconds, peak = time.process_time() - start, memory_mb()
    growth = peak - before
    tally["peak_mb"] = max(tally["peak_mb"], peak)
    tally["slowest_s"] = max(tally["slowest_s"], seconds)
    tally["growth_mb"] = max(tally["growth_mb"], growth)
    if seconds > SECONDS or growth > GROWTH_MB:
        problem = problem or f"{seconds:.1f} s, {growth:.0f} MB"
    if problem and len(tally["failures"]) < 20:
        files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        contents = {file.name: repr(file.read_bytes()[:1500]) for file in files}
        tally["failures"].append({"format": kind, "named": chosen, "problem": problem, **contents})


if __name__ == "__main__":
    print(json.dumps(run(int(sys.argv[1]), int(sys.argv[2]))))  # noqa: T201
