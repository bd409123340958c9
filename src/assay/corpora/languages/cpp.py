"""C++."""

from assay.corpora.languages._declarators import functions, variables
from assay.corpora.languages._shape import Language
from assay.corpora.languages.c import c

__all__ = ["cpp"]

_OWN = "[(identifier) (field_identifier) (operator_name) (destructor_name)] @name"
_OF_A_CLASS = "(qualified_identifier) @name"


def _grammar() -> object:
    import tree_sitter_cpp

    return tree_sitter_cpp.language()


def _functions() -> str:
    """Write the patterns of functions, also of those that return a reference."""
    reference = "(function_definition declarator: (reference_declarator (function_declarator"
    return f"""
        {functions(_OWN)}
        {functions(_OF_A_CLASS, "method")}
        {reference} declarator: {_OWN}))) @function
        {reference} declarator: {_OF_A_CLASS}))) @method
        (function_definition declarator: (operator_cast) @name) @method
    """


def _templates() -> str:
    """Write the patterns that let a template begin with its word, by the kind of what it makes."""
    types = {"class_specifier": "class", "struct_specifier": "struct"}
    plain = [f"({node} name: (_) @name body: (_)) @{kind}" for node, kind in types.items()]
    marked = [
        f"(template_declaration ({node} name: (_) @name body: (_))) @{kind}"
        for node, kind in types.items()
    ]
    function = "(function_definition declarator: (function_declarator declarator:"
    return "\n".join(
        [
            *plain,
            *marked,
            f"(template_declaration {function} {_OWN}))) @function",
            f"(template_declaration {function} {_OF_A_CLASS}))) @method",
            "(template_declaration (alias_declaration name: (_) @name)) @type",
            "(template_declaration (concept_definition name: (_) @name)) @type",
        ]
    )


cpp = Language(
    grammar=_grammar,
    extensions=("cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "inl"),
    builtins=(
        f"{c.builtins} const_cast decltype dynamic_cast noexcept reinterpret_cast static_cast "
        "typeid"
    ),
    definitions=f"""
        {_functions()}
        {_templates()}
        (namespace_definition name: (_) @name) @module
        (union_specifier name: (_) @name body: (_)) @struct
        (enum_specifier name: (_) @name body: (_)) @enum
        (type_definition
          type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))]
          declarator: (type_identifier) @name) @struct
        (type_definition
          type: (enum_specifier !name body: (_)) declarator: (type_identifier) @name) @enum
        (type_definition declarator: (type_identifier) @name @type)
        (alias_declaration name: (_) @name) @type
        (concept_definition name: (_) @name) @type
        (preproc_def name: (identifier) @name value: (_)) @constant
        (preproc_function_def name: (identifier) @name) @macro
        (translation_unit {variables()})
        (namespace_definition body: (declaration_list {variables()}))
    """,
    calls="""
        (call_expression function: (_) @name) @call
        (new_expression type: (_) @name) @call
    """,
    statements="""
        [(expression_statement) (declaration) (field_declaration) (return_statement)
         (throw_statement) (co_return_statement) (co_yield_statement)] @simple
        [(compound_statement) (if_statement) (for_statement) (for_range_loop) (while_statement)
         (do_statement) (switch_statement) (case_statement) (try_statement)] @compound
    """,
)
