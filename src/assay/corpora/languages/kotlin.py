"""Kotlin."""

from assay.corpora.languages._shape import Language

__all__ = ["kotlin"]


def _grammar() -> object:
    import tree_sitter_kotlin

    return tree_sitter_kotlin.language()


kotlin = Language(
    grammar=_grammar,
    guarded="tree_sitter_kotlin",
    extensions=("kt", "kts"),
    builtins=(
        "Array Boolean Byte Char Double Float Int Long Short String TODO arrayOf check "
        "checkNotNull error lazy listOf mapOf mutableListOf mutableMapOf mutableSetOf print "
        "println repeat require requireNotNull setOf super this"
    ),
    definitions="""
        (class_declaration "interface" name: (identifier) @name) @interface
        (class_declaration name: (identifier) @name (enum_class_body)) @enum
        (class_declaration name: (identifier) @name) @class
        (object_declaration name: (identifier) @name) @class
        (function_declaration (user_type (identifier) @prefix) . name: (identifier) @name) @method
        (function_declaration name: (identifier) @name) @function
        (type_alias type: (identifier) @name) @type
        (source_file (property_declaration
          (variable_declaration . (identifier) @name)) @variable)
    """,
    calls="(call_expression . (_) @name) @call",
    statements="""
        [(property_declaration) (assignment) (return_expression) (throw_expression)] @simple
        (block (call_expression) @simple)
        (lambda_literal (call_expression) @simple)
        [(block) (class_body) (enum_class_body) (if_expression) (when_expression) (for_statement)
         (while_statement) (do_while_statement) (try_expression) (lambda_literal)] @compound
    """,
)
