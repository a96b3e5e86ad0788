"""`POST /memory` and `GET /memory/search`: the same as `hermes memory add` and `search`."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from hermes.app.warm_memory import WarmMemory
from hermes.records.memory import MemoryKind
from hermes.records.recall import Recalled, Remembered
from hermes.web.problems import PlainJson, documented, problem

Kind = Literal["episodic", "semantic", "declarative"]
Scope = Annotated[str, Field(min_length=1, max_length=300)]
_SCOPE = "user, project, team, project:NAME or team:NAME; here is where the server was started"


class NewMemory(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = Field(description="what to remember")
    kind: Kind | None = Field(default=None, description="found out if not given")
    scope: Scope | None = Field(default=None, description=f"whose it is (user): {_SCOPE}")


class Wanted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    q: str = Field(description="what you want to know, in any words")
    k: int | None = Field(default=None, ge=1, le=100, description="at most so many (memory.top_k)")
    kind: list[Kind] = Field(default_factory=list, description="only these")
    scope: Scope | None = Field(default=None, description=f"only there: {_SCOPE}")


def memory_routes(memory: WarmMemory) -> APIRouter:
    router = APIRouter(prefix="/memory", tags=["memory"])

    @router.post(
        "",
        status_code=201,
        summary="Remember a text, unless it is known or not worth it",
        response_description="It is kept.",
        responses={
            200: {"model": Remembered, "description": "Something says so already."},
            201: {"model": Remembered},
            202: {"model": Remembered, "description": "It is kept and waits for approval."},
            **documented(400, 403, 413, 415, 422, 500, 503),
        },
    )
    async def add(note: NewMemory) -> Response:
        return _told(await memory.ask(lambda: _added(memory, note)))

    @router.get(
        "/search",
        summary="What is remembered of something, by words and by meaning, with why",
        responses={200: {"model": Recalled}, **documented(403, 422, 500, 503)},
    )
    async def search(wanted: Annotated[Wanted, Query()]) -> Response:
        kinds = [MemoryKind(kind) for kind in wanted.kind]
        found = await memory.ask(
            lambda: memory.search(wanted.q, kinds=kinds, scope=wanted.scope, k=wanted.k)
        )
        return PlainJson(found)

    return router


def _added(memory: WarmMemory, note: NewMemory) -> Remembered:
    kind = MemoryKind(note.kind) if note.kind else None
    trust = memory.trust_of_caller()
    return memory.add(note.text, kind, scope=note.scope, source="rest", trust=trust)


def _told(done: Remembered) -> Response:
    if done.refused is not None:
        return problem(422, f"this is not remembered: {done.refused}", code="refused")
    if done.waits_for_approval is not None:
        return PlainJson(done, 202)
    return PlainJson(done, 200 if done.merged_into else 201)
