"""A job -> an error if what it would read lies outside of the folders that were allowed."""

from collections.abc import Iterable, Mapping
from typing import Any

from assay.workflows.service.allowed import Allowed

__all__ = ["refuse_outside"]


def refuse_outside(
    content: Mapping[str, Any], *, corpora: Iterable[object], systems: Iterable[object] = ()
) -> None:
    """Check the places of a job where it is done: links may lead elsewhere than at the request.

    The content of a job that a service notes has the folders ``within`` which it must read; jobs of
    the command line may read anything.
    """
    within = content.get("within")
    if within is None:
        return
    allowed = Allowed(within)
    for where in corpora:
        allowed.refuse_corpus(where if isinstance(where, Mapping) else {"path": where})
    for system in systems:
        allowed.refuse_run_file(system)
