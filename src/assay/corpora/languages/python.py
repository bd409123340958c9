"""Python."""

from assay.corpora.languages._shape import Language

__all__ = ["python"]


def _grammar() -> object:
    import tree_sitter_python

    return tree_sitter_python.language()


python = Language(
    package="tree-sitter-python",
    grammar=_grammar,
    extensions=("py", "pyi", "pyw"),
    shebangs=("python", "python3", "pypy"),
    definitions="""
        (function_definition name: (identifier) @name) @function
        (decorated_definition
          definition: (function_definition name: (identifier) @name)) @function
        (class_definition name: (identifier) @name) @class
        (decorated_definition
          definition: (class_definition name: (identifier) @name)) @class
        (module (expression_statement
          (assignment left: (identifier) @name) @variable))
    """,
    calls="(call function: [(identifier) (attribute)] @name) @call",
    statements=("expression_statement",),
)
