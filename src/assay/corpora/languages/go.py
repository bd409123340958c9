"""Go."""

from assay.corpora.languages._shape import Language

__all__ = ["go"]


def _grammar() -> object:
    import tree_sitter_go

    return tree_sitter_go.language()


go = Language(
    grammar=_grammar,
    extensions=("go",),
    builtins=(
        "append bool byte cap clear close complex complex128 complex64 copy delete error "
        "float32 float64 imag int int16 int32 int64 int8 len make max min new panic print "
        "println real recover rune string uint uint16 uint32 uint64 uint8 uintptr"
    ),
    definitions="""
        (function_declaration name: (identifier) @name) @function
        (method_declaration
          receiver: (parameter_list (parameter_declaration type: [
            (type_identifier) @prefix
            (generic_type type: (type_identifier) @prefix)
            (pointer_type (type_identifier) @prefix)
            (pointer_type (generic_type type: (type_identifier) @prefix))]))
          name: (field_identifier) @name) @method
        (method_elem name: (field_identifier) @name) @method
        (type_spec name: (type_identifier) @name type: (struct_type)) @struct
        (type_spec name: (type_identifier) @name type: (interface_type)) @interface
        (type_spec name: (type_identifier) @name) @type
        (type_alias name: (type_identifier) @name) @type
        (source_file (const_declaration (const_spec name: (identifier) @name) @constant))
        (source_file (var_declaration (var_spec name: (identifier) @name) @variable))
        (source_file (var_declaration
          (var_spec_list (var_spec name: (identifier) @name) @variable)))
    """,
    calls="(call_expression function: (_) @name) @call",
    statements="""
        [(expression_statement) (short_var_declaration) (assignment_statement) (var_declaration)
         (const_declaration) (return_statement) (go_statement) (defer_statement)
         (send_statement)] @simple
        [(block) (if_statement) (for_statement) (expression_switch_statement)
         (type_switch_statement) (select_statement)] @compound
    """,
)
