"""JavaScript, with or without JSX, read by the grammar of TypeScript."""

from dataclasses import replace

from assay.corpora.languages._shape import Language
from assay.corpora.languages.tsx import tsx

__all__ = ["javascript"]

javascript: Language = replace(tsx, extensions=("js", "jsx", "mjs", "cjs"), shebangs=("node",))
