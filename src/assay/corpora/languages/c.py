"""C."""

from assay.corpora.languages._declarators import functions, variables
from assay.corpora.languages._shape import Language

__all__ = ["c"]


def _grammar() -> object:
    import tree_sitter_c

    return tree_sitter_c.language()


c = Language(
    grammar=_grammar,
    extensions=("c", "h"),
    builtins=(
        "__alignof__ __builtin_expect __builtin_va_arg __builtin_va_end __builtin_va_start "
        "_Alignof _Generic _Static_assert alignof defined offsetof sizeof static_assert typeof "
        "va_arg va_copy va_end va_start"
    ),
    # What is only declared (a prototype, a struct without its body) is defined elsewhere.
    definitions=f"""
        {functions("(identifier) @name")}
        (struct_specifier name: (_) @name body: (_)) @struct
        (union_specifier name: (_) @name body: (_)) @struct
        (enum_specifier name: (_) @name body: (_)) @enum
        (type_definition
          type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))]
          declarator: (type_identifier) @name) @struct
        (type_definition
          type: (enum_specifier !name body: (_)) declarator: (type_identifier) @name) @enum
        (type_definition declarator: (type_identifier) @name @type)
        (type_definition declarator: (function_declarator
          declarator: (parenthesized_declarator
            (pointer_declarator declarator: (type_identifier) @name)))) @type
        (preproc_def name: (identifier) @name value: (_)) @constant
        (preproc_function_def name: (identifier) @name) @macro
        (translation_unit {variables()})
    """,
    calls="(call_expression function: (_) @name) @call",
    statements="""
        [(expression_statement) (declaration) (return_statement) (goto_statement)] @simple
        [(compound_statement) (if_statement) (for_statement) (while_statement) (do_statement)
         (switch_statement) (case_statement)] @compound
    """,
)
