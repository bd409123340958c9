"""Rust."""

from assay.corpora.languages._shape import Language

__all__ = ["rust"]

# Attributes stand before the item that they belong to, as its siblings.
_ITEMS = {
    "function_item": "function",
    "function_signature_item": "function",
    "struct_item": "struct",
    "union_item": "struct",
    "enum_item": "enum",
    "trait_item": "trait",
    "mod_item": "module",
    "type_item": "type",
    "const_item": "constant",
    "static_item": "constant",
    "macro_definition": "macro",
}


_BETWEEN = "[(attribute_item) (line_comment) (block_comment)]*"


def _grammar() -> object:
    import tree_sitter_rust

    return tree_sitter_rust.language()


def _definitions() -> str:
    plain = [f"({item} name: (_) @name) @{kind}" for item, kind in _ITEMS.items()]
    marked = [
        f"((attribute_item) @decorator . {_BETWEEN} . ({item} name: (_) @name) @{kind})"
        for item, kind in _ITEMS.items()
    ]
    return "\n".join([*plain, *marked, _IMPLEMENTATIONS])


_IMPLEMENTATIONS = """
    (impl_item type: [
      (type_identifier) @name
      (generic_type type: (type_identifier) @name)
      (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
      (scoped_type_identifier name: (type_identifier) @name)
      (reference_type type: (type_identifier) @name)
      (primitive_type) @name]) @scope
"""

rust = Language(
    grammar=_grammar,
    extensions=("rs",),
    builtins="Err None Ok Self Some drop",
    definitions=_definitions(),
    calls="(call_expression function: (_) @name) @call",
    statements="""
        [(expression_statement) (let_declaration) (const_item) (static_item)] @simple
        [(block) (if_expression) (match_expression) (for_expression) (while_expression)
         (loop_expression)] @compound
    """,
)
