"""PHP, also among the HTML that it writes."""

from assay.corpora.languages._shape import Language

__all__ = ["php"]


def _grammar() -> object:
    import tree_sitter_php

    return tree_sitter_php.language_php()


php = Language(
    grammar=_grammar,
    extensions=("php", "phtml", "php5", "php7", "phps"),
    shebangs=("php",),
    builtins="array compact die empty eval exit extract isset list print unset",
    # A namespace does not qualify the names in it: most files name theirs in a line of its own.
    definitions="""
        (class_declaration name: (name) @name) @class
        (interface_declaration name: (name) @name) @interface
        (trait_declaration name: (name) @name) @trait
        (enum_declaration name: (name) @name) @enum
        (function_definition name: (name) @name) @function
        (method_declaration name: (name) @name) @method
        (program (const_declaration (const_element . (name) @name) @constant))
    """,
    calls="""
        (function_call_expression function: (_) @name) @call
        (member_call_expression name: (name) @last) @call
        (nullsafe_member_call_expression name: (name) @last) @call
        (scoped_call_expression name: (name) @last) @call
        (object_creation_expression [(name) (qualified_name)] @name) @call
    """,
    statements="""
        [(expression_statement) (return_statement) (echo_statement) (property_declaration)
         (const_declaration) (unset_statement)] @simple
        [(compound_statement) (declaration_list) (enum_declaration_list) (if_statement)
         (for_statement) (foreach_statement) (while_statement) (do_statement) (switch_statement)
         (try_statement)] @compound
    """,
)
