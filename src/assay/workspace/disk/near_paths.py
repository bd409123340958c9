"""Which names come near to one that is not there."""

from collections.abc import Sequence

from assay.text.near_miss import near_misses

__all__ = ["nearest", "plain"]

SHOWN = 5
LOOKED_AT = 5000  # names that are compared letter by letter


def plain(path: str) -> str:
    """Write a path as documents do: forward slashes, nothing before the first name."""
    return path.replace("\\", "/").removeprefix("./")


def nearest(name: str, names: Sequence[str]) -> list[str]:
    """Return up to five: the same place, the same last name, then what is spelled alike."""
    wanted = plain(name).strip("/")
    last = wanted.rsplit("/", 1)[-1].lower()
    ends = [each for each in names if each == wanted or each.endswith(f"/{wanted}")]
    inside = [each for each in names if each and wanted.endswith(f"/{each}")]
    alike = [each for each in names if each.rsplit("/", 1)[-1].lower() == last]
    found = dict.fromkeys([*ends, *inside, *alike])
    if len(found) < SHOWN:
        found |= dict.fromkeys(near_misses(wanted, names[:LOOKED_AT], most=SHOWN))
    return list(found)[:SHOWN]
