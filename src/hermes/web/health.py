"""`GET /healthz`: whether a request would be answered now."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.responses import Response

from hermes import __version__
from hermes.app.warm_memory import WarmMemory
from hermes.web.problems import PlainJson, documented


class Health(BaseModel):
    status: str
    version: str


def health_routes(memory: WarmMemory) -> APIRouter:
    router = APIRouter(tags=["health"])

    @router.get(
        "/healthz",
        summary="Whether a request would be answered now",
        responses={200: {"model": Health}, **documented(403, 500, 503)},
    )
    async def healthz() -> Response:
        await memory.ask(memory.check)
        return PlainJson({"status": "ok", "version": __version__})

    return router
