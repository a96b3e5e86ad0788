"""The application that `hermes serve` runs: the guard, the routes, and one shape for errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from hermes import __version__
from hermes.app.warm_memory import WarmMemory
from hermes.errors import HermesError
from hermes.web.guard import Guard
from hermes.web.health import health_routes
from hermes.web.memory import memory_routes
from hermes.web.problems import Problem, of_arguments, of_http, of_ours

PREFIX = "/api/v1"


class _Documented(FastAPI):
    """Problems are of one shape everywhere; the document holds it once."""

    def openapi(self) -> dict[str, Any]:
        document = super().openapi()
        schema = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas.update(schema.pop("$defs", {}) | {"Problem": schema})
        return document


def application(memory: WarmMemory, crashed: Callable[[Exception], str]) -> FastAPI:
    """No pages that explain the API: they would fetch scripts from elsewhere."""
    app = _Documented(
        title="Hermes Loop",
        version=__version__,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.add_middleware(Guard, crashed=crashed)
    app.add_exception_handler(HermesError, of_ours)
    app.add_exception_handler(HTTPException, of_http)
    app.add_exception_handler(RequestValidationError, of_arguments)
    app.include_router(memory_routes(memory), prefix=PREFIX)
    app.include_router(health_routes(memory), prefix=PREFIX)
    app.include_router(health_routes(memory), include_in_schema=False)  # where probes look
    return app
