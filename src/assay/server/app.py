"""The application: all routes, behind everything that protects them."""

import importlib
import pkgutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, Depends, FastAPI
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool

from assay import __version__
from assay.server import routes
from assay.server.metrics import MeasureRequests, ServiceMetrics
from assay.server.models.parameters import refuse_unknown_parameters
from assay.server.openapi import describe_api
from assay.server.problem import install_problems
from assay.server.progress.hub import make_hub
from assay.server.state import Service

__all__ = ["make_app"]


def make_app(service: Service) -> FastAPI:
    """Make the application of an open service; `server/serve.py` protects and runs it."""
    app = FastAPI(
        title="Assay",
        version=__version__,
        openapi_url=None,  # that route would make the document in the event loop
        docs_url=None,  # it would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,  # a path is as it is documented, or it is not found
        generate_unique_id_function=_name_of,
        lifespan=_lifespan,
        dependencies=[Depends(refuse_unknown_parameters)],
    )
    app.state.service = service
    app.state.progress = make_hub(service)
    app.state.metrics = ServiceMetrics(service)
    app.add_middleware(MeasureRequests, metrics=app.state.metrics)
    install_problems(app)
    for router in _routers():
        app.include_router(router)
    describe_api(app)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    await run_in_threadpool(app.state.progress.stop)


def _routers() -> Iterator[APIRouter]:
    for module in sorted(one.name for one in pkgutil.iter_modules(routes.__path__)):
        if not module.startswith("_"):
            yield importlib.import_module(f"{routes.__name__}.{module}").router


def _name_of(route: APIRoute) -> str:
    return route.name
