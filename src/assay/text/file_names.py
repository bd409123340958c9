"""Files as settings have them, NAME@HASH -> their names, where these tell them apart."""

import re
from collections.abc import Sequence

__all__ = ["file_names"]

HASH = re.compile(r"(?<=.)@[0-9a-f]{16}$")


def file_names(values: Sequence[str]) -> list[str]:
    """Leave out the hashes, unless two files of one name have different ones.

    >>> file_names(["none", "synonyms.txt@7918f5e9082dcdf6"])
    ['none', 'synonyms.txt']
    >>> file_names(["a.txt@7918f5e9082dcdf6", "a.txt@0000000000000000"])[0]
    'a.txt@7918f5e9082dcdf6'
    """
    short = [HASH.sub("", one) for one in values]
    return short if len({*short}) == len({*values}) else [*values]
