"""What all handlers of a service share."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from starlette.requests import HTTPConnection

from assay.server.settings import ServeSettings
from assay.server.turns import Turns
from assay.workflows.jobs.dispatch import Dispatch, NoDispatch
from assay.workflows.service.run_rows import RecentRows
from assay.workspace.ledger.ledger import Ledger
from assay.workspace.locate import Workspace
from assay.workspace.store.store import ServiceStore

if TYPE_CHECKING:
    from assay.workflows.service.allowed import Allowed

__all__ = ["Service", "service_of"]

HEAVY = 2  # computations that run at the same time in the process of the service
WAITING = 8  # that wait for their turn; a request beyond them is refused


@dataclass(frozen=True, eq=False)
class Service:
    """The open workspace of a service, and what its administrator allows.

    Handlers notify ``dispatch`` of jobs that can begin. Those that compute take turns
    by ``heavy``, so that the others stay quick. ``rows`` has the runs that were paged through last.
    """

    settings: ServeSettings
    store: ServiceStore
    ledger: Ledger
    allowed: "Allowed"
    dispatch: Dispatch = field(default_factory=NoDispatch)
    heavy: Turns = field(default_factory=lambda: Turns(places=HEAVY, waiting=WAITING))
    rows: RecentRows = field(default_factory=RecentRows)

    @property
    def place(self) -> Workspace:
        """The workspace."""
        return self.settings.place


def service_of(connection: HTTPConnection) -> Service:
    """Return the service that a request or WebSocket is for."""
    return cast("Service", connection.app.state.service)
