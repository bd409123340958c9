"""Java."""

from assay.corpora.languages._shape import Language

__all__ = ["java"]


def _grammar() -> object:
    import tree_sitter_java

    return tree_sitter_java.language()


java = Language(
    grammar=_grammar,
    extensions=("java",),
    definitions="""
        (class_declaration name: (identifier) @name) @class
        (record_declaration name: (identifier) @name) @class
        (interface_declaration name: (identifier) @name) @interface
        (annotation_type_declaration name: (identifier) @name) @interface
        (enum_declaration name: (identifier) @name) @enum
        (method_declaration name: (identifier) @name) @method
        (constructor_declaration name: (identifier) @name) @method
        (compact_constructor_declaration name: (identifier) @name) @method
    """,
    calls="""
        (method_invocation name: (identifier) @last) @call
        (object_creation_expression type: (_) @name) @call
    """,
    statements="""
        [(expression_statement) (local_variable_declaration) (return_statement) (throw_statement)
         (field_declaration) (assert_statement) (yield_statement)
         (explicit_constructor_invocation)] @simple
        [(block) (class_body) (interface_body) (enum_body) (if_statement) (for_statement)
         (enhanced_for_statement) (while_statement) (do_statement) (switch_expression)
         (try_statement) (try_with_resources_statement)] @compound
    """,
)
