"""C#."""

from assay.corpora.languages._shape import Language

__all__ = ["csharp"]


def _grammar() -> object:
    import tree_sitter_c_sharp

    return tree_sitter_c_sharp.language()


csharp = Language(
    grammar=_grammar,
    extensions=("cs", "csx"),
    builtins="base checked default nameof sizeof this typeof unchecked",
    # A namespace does not qualify the names in it: most files name theirs in a line of its own.
    definitions="""
        (class_declaration name: (identifier) @name) @class
        (record_declaration name: (identifier) @name) @class
        (struct_declaration name: (identifier) @name) @struct
        (interface_declaration name: (identifier) @name) @interface
        (enum_declaration name: (identifier) @name) @enum
        (delegate_declaration name: (identifier) @name) @type
        (method_declaration name: (identifier) @name) @method
        (constructor_declaration name: (identifier) @name) @method
        (destructor_declaration name: (identifier) @name) @method
        (property_declaration name: (identifier) @name) @method
        (local_function_statement name: (identifier) @name) @function
    """,
    calls="""
        (invocation_expression function: (_) @name) @call
        (object_creation_expression type: (_) @name) @call
    """,
    statements="""
        [(expression_statement) (local_declaration_statement) (return_statement)
         (throw_statement) (yield_statement) (field_declaration) (property_declaration)] @simple
        [(block) (declaration_list) (accessor_list) (if_statement) (for_statement)
         (foreach_statement) (while_statement) (do_statement) (switch_statement)
         (try_statement) (using_statement) (lock_statement)] @compound
    """,
)
