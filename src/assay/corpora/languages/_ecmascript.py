"""What JavaScript and TypeScript share: their queries."""

__all__ = ["BUILTINS", "CALLS", "DEFINITIONS", "STATEMENTS"]

BUILTINS = (
    "Array Boolean Date Error Map Number Object Promise RegExp Set String Symbol "
    "import isFinite isNaN parseFloat parseInt require super"
)

DEFINITIONS = """
    (function_declaration name: (identifier) @name) @function
    (generator_function_declaration name: (identifier) @name) @function
    (function_signature name: (identifier) @name) @function
    (export_statement declaration: (function_declaration name: (identifier) @name)) @function
    (export_statement
      declaration: (generator_function_declaration name: (identifier) @name)) @function

    (class_declaration name: (_) @name) @class
    (abstract_class_declaration name: (_) @name) @class
    (export_statement declaration: (class_declaration name: (_) @name)) @class
    (export_statement declaration: (abstract_class_declaration name: (_) @name)) @class

    (method_definition name: (_) @name) @method
    (class_body (decorator)+ @decorator . (method_definition name: (_) @name) @method)
    (method_signature name: (_) @name) @method
    (abstract_method_signature name: (_) @name) @method
    (public_field_definition
      name: (_) @name value: [(arrow_function) (function_expression)]) @method

    (interface_declaration name: (_) @name) @interface
    (export_statement declaration: (interface_declaration name: (_) @name)) @interface
    (enum_declaration name: (_) @name) @enum
    (export_statement declaration: (enum_declaration name: (_) @name)) @enum
    (type_alias_declaration name: (_) @name) @type
    (export_statement declaration: (type_alias_declaration name: (_) @name)) @type
    (internal_module name: (_) @name) @module
    (export_statement declaration: (internal_module name: (_) @name)) @module
    (module name: (_) @name) @module

    (variable_declarator name: (identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)]) @function
    (variable_declarator name: (identifier) @name value: (class)) @class
    (assignment_expression left: (member_expression property: (property_identifier) @name)
      right: [(arrow_function) (function_expression) (generator_function)]) @function
    (program (_ (variable_declarator name: (identifier) @name) @variable))
    (program (export_statement (_ (variable_declarator name: (identifier) @name) @variable)))
"""

CALLS = """
    (call_expression function: (_) @name) @call
    (new_expression constructor: (_) @name) @call
"""

STATEMENTS = """
    [(expression_statement) (lexical_declaration) (variable_declaration) (return_statement)
     (throw_statement) (public_field_definition)] @simple
    [(statement_block) (class_body) (if_statement) (for_statement) (for_in_statement)
     (while_statement) (do_statement) (switch_statement) (try_statement)] @compound
"""
