"""TypeScript without JSX."""

from assay.corpora.languages._ecmascript import BUILTINS, CALLS, DEFINITIONS, STATEMENTS
from assay.corpora.languages._shape import Language

__all__ = ["typescript"]


def _grammar() -> object:
    import tree_sitter_typescript

    return tree_sitter_typescript.language_typescript()


typescript = Language(
    grammar=_grammar,
    extensions=("ts", "mts", "cts"),
    shebangs=("deno", "bun", "tsx"),
    builtins=BUILTINS,
    definitions=DEFINITIONS,
    calls=CALLS,
    statements=STATEMENTS,
)
