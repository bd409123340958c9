"""TypeScript with JSX, which needs a grammar of its own: <T>x is a cast there, a tag here."""

from dataclasses import replace

from assay.corpora.languages._shape import Language
from assay.corpora.languages.typescript import typescript

__all__ = ["tsx"]


def _grammar() -> object:
    import tree_sitter_typescript

    return tree_sitter_typescript.language_tsx()


tsx: Language = replace(typescript, grammar=_grammar, extensions=("tsx",), shebangs=())
