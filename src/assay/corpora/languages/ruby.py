"""Ruby."""

from assay.corpora.languages._shape import Language

__all__ = ["ruby"]

# Ruby has no statements, only values: those that stand directly in a body are meant here.
_BODIES = "program body_statement block_body then else do ensure"
_SIMPLE = (
    "[(assignment) (operator_assignment) (call) (return) (yield) (super) (if_modifier) "
    "(unless_modifier) (while_modifier) (until_modifier) (rescue_modifier)] @simple"
)


def _grammar() -> object:
    import tree_sitter_ruby

    return tree_sitter_ruby.language()


ruby = Language(
    grammar=_grammar,
    extensions=("rb", "rake", "gemspec"),
    shebangs=("ruby",),
    builtins=(
        "Array Float Integer Rational String abort alias_method attr_accessor attr_reader "
        "attr_writer binding block_given? catch exit extend fail format gets include lambda loop "
        "module_function p pp prepend print printf private private_class_method private_constant "
        "proc protected public public_send puts raise rand refine require require_relative sleep "
        "sprintf super throw using warn"
    ),
    definitions="""
        (module name: (_) @name) @module
        (class name: (_) @name) @class
        (method name: (_) @name) @function
        (singleton_method name: (_) @name) @method
        (program (assignment left: (constant) @name) @constant)
        (module body: (body_statement (assignment left: (constant) @name) @constant))
        (class body: (body_statement (assignment left: (constant) @name) @constant))
    """,
    calls="(call method: (_) @last) @call",
    statements="\n".join(
        [
            *(f"({body} {_SIMPLE})" for body in _BODIES.split()),
            "[(class) (module) (method) (singleton_method) (if) (unless) (while) (until) (for)",
            " (case) (begin) (block) (do_block)] @compound",
        ]
    ),
)
