"""What C and C++ share: a name stands inside of the stars and brackets of its type."""

__all__ = ["functions", "variables"]

DEPTH = 2  # stars before the name of a function that returns a pointer to a pointer


def functions(name: str, kind: str = "function") -> str:
    """Write the patterns of a function's definition, given that of its name."""
    pattern, found = f"(function_declarator declarator: {name})", []
    for _ in range(DEPTH + 1):
        found.append(f"(function_definition declarator: {pattern}) @{kind}")
        pattern = f"(pointer_declarator declarator: {pattern})"
    return "\n".join(found)


def variables() -> str:
    """Write the pattern of the names that a declaration gives a value or a place."""
    plain = "(identifier) @name"
    array = f"(array_declarator declarator: {plain})"
    pointers = f"(pointer_declarator declarator: [{plain} {array}])"
    named = f"[{plain} {array} {pointers}]"
    return f"(declaration declarator: [{named} (init_declarator declarator: {named})]) @variable"
