"""A family's function -> its settings: names, types, defaults and meanings, from its signature."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

__all__ = ["FamilySetting", "family_settings"]


@dataclass(frozen=True, slots=True)
class FamilySetting:
    """One setting of a family; ``choices`` are all that it can be, where it is a choice."""

    name: str
    type: type
    default: Any
    meaning: str
    choices: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """What to give, in words."""
        return ", ".join(self.choices) or EXPECTED[self.type]

    def takes(self, value: object) -> bool:
        """Say whether a value is of the right type, and one of the choices if there are any."""
        if self.choices:
            return value in self.choices
        if self.type is tuple:
            return isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)
        kinds = (int, float) if self.type is float else (self.type,)
        return isinstance(value, kinds) and not isinstance(value, bool)


EXPECTED = {int: "a whole number", float: "a number", tuple: "a list of patterns"}


def family_settings(family: Callable[..., object]) -> dict[str, FamilySetting]:
    """Describe the settings of a family, by name.

    Arguments without a default are no settings: they are what a family works on, such as a corpus,
    and whoever calls it brings them.
    """
    hints = get_type_hints(family, include_extras=True)
    given = inspect.signature(family).parameters.values()
    settings = [p for p in given if p.default is not p.empty and get_origin(hints[p.name])]
    return {p.name: _setting(p.name, hints[p.name], p.default) for p in settings}


def _setting(name: str, hint: Any, default: object) -> FamilySetting:  # noqa: ANN401
    is_annotated = get_origin(hint) is Annotated
    kind, meaning = get_args(hint)[:2] if is_annotated else (hint, "")
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    return FamilySetting(name, type(default), default, str(meaning), choices)
