"""How jobs reach workers: the seam for executors other than our own worker processes."""

from collections.abc import Collection
from typing import Protocol

__all__ = ["Dispatch", "NoDispatch"]


class Dispatch(Protocol):
    """Lets workers know which jobs there are; the jobs themselves are in the database.

    The service notifies it of each job that can begin or is cancelled, once that is committed. Only
    ids are ever passed on. A worker reads everything else from the database by id, claims the
    work there, and records it there. A message that is lost, late or delivered twice therefore
    changes nothing but the time at which the work begins. `Supervisor` implements it with processes
    of this machine, which notice changes of the database themselves. An executor such as Celery
    implements ``notify`` by one message for each id, and its task calls `perform` with the job of
    that id; `start` and `stop` connect it and disconnect it.
    """

    def start(self) -> None:
        """Begin to pass jobs on."""
        ...

    def notify(self, ids: Collection[str]) -> None:
        """Say that these jobs can be worked on, or were cancelled; it may be said again."""
        ...

    def stop(self) -> None:
        """Stop; work that was begun is released, and can be continued by any worker."""
        ...


class NoDispatch:
    """Of a service without workers of its own: those of `assay worker` look for themselves."""

    def start(self) -> None:
        """Connect to nothing."""

    def notify(self, ids: Collection[str]) -> None:
        """Leave it to the database."""

    def stop(self) -> None:
        """Disconnect from nothing."""
