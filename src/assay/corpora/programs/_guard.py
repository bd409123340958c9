"""Whether a text can be parsed at all: some grammars never come back from some broken texts.

While a grammar mends what is broken it asks for nothing, so nothing can end it from within. A child
process parses first; if it is not done in time it is ended, and the text is not parsed here.
"""

from functools import cache

from assay.corpora.guarded_process import GuardedProcess
from assay.corpora.programs.parsable_languages import parsable_languages

__all__ = ["comes_back"]

SECONDS, PER_BYTE = 2.0, 4e-6  # real files take a hundredth

_CHILD = """
import sys
from importlib import import_module
import tree_sitter
parser = tree_sitter.Parser(tree_sitter.Language(import_module(sys.argv[1]).language()))
source, target = sys.stdin.buffer, sys.stdout.buffer
while size := source.read(8):
    parser.parse(source.read(int.from_bytes(size, "little")))
    target.write(bytes(8))
    target.flush()
"""


def comes_back(data: bytes, language: str) -> bool:
    """Tell whether parsing ends; languages whose grammars always do are not tried."""
    package = parsable_languages()[language].guarded
    if not package:
        return True
    try:
        _try(package).ask(data, seconds=SECONDS + len(data) * PER_BYTE)
    except OSError:  # it took too long, or ended
        return False
    return True


@cache
def _try(package: str) -> GuardedProcess:
    return GuardedProcess(_CHILD, package)
