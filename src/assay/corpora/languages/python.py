"""Python."""

import builtins

from assay.corpora.languages._shape import Language

__all__ = ["python"]


def _grammar() -> object:
    import tree_sitter_python

    return tree_sitter_python.language()


python = Language(
    grammar=_grammar,
    extensions=("py", "pyi", "pyw"),
    shebangs=("python", "pypy"),
    builtins=" ".join(dir(builtins)),
    definitions="""
        (function_definition name: (identifier) @name) @function
        (decorated_definition
          definition: (function_definition name: (identifier) @name)) @function
        (class_definition name: (identifier) @name) @class
        (decorated_definition definition: (class_definition name: (identifier) @name)) @class
        (module (expression_statement (assignment left: (identifier) @name) @variable))
        (module (expression_statement (assignment
          left: (pattern_list (identifier) @name)) @variable))
        (type_alias_statement left: (type (identifier) @name)) @type
        (type_alias_statement left: (type (generic_type . (identifier) @name))) @type
    """,
    calls="(call function: (_) @name) @call",
    statements="""
        [(expression_statement) (return_statement) (assert_statement) (raise_statement)
         (delete_statement)] @simple
        [(function_definition) (class_definition) (decorated_definition) (if_statement)
         (elif_clause) (for_statement) (while_statement) (with_statement) (try_statement)
         (match_statement) (block)] @compound
    """,
)
