"""What goes wrong, as RFC 9457 has it: one shape for every error, whoever finds it."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from hermes.errors import (
    AgentError,
    Ambiguous,
    Conflict,
    EmbedderUnavailable,
    HermesError,
    NotFound,
    PatchMismatch,
    Refused,
    StoreUnavailable,
)
from hermes.records.codec import to_plain

MEDIA_TYPE = "application/problem+json"

_STATUS: tuple[tuple[type[HermesError], int], ...] = (  # the first that fits
    (NotFound, 404),
    (Ambiguous, 409),
    (Conflict, 409),
    (PatchMismatch, 409),
    (Refused, 409),
    (AgentError, 422),
    (StoreUnavailable, 503),
    (EmbedderUnavailable, 503),
    (HermesError, 500),
)
_FAULTS_SHOWN = 20
_LONGEST_PLACE = 200


class Fault(BaseModel):
    """One value that does not fit: where it stands, and what is expected there."""

    where: str
    what: str


class Problem(BaseModel):
    """`title` names the status, `detail` says what happened, `hint` what to do next."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str = Field(default="", description="the kind of error, for programs")
    hint: str = ""
    errors: list[Fault] = Field(default_factory=list)


class PlainJson(JSONResponse):
    """Records as the command line's --json writes them, in ASCII: half a character in somebody's
    text is no reason to fail."""

    def render(self, content: Any) -> bytes:
        return json.dumps(to_plain(content), separators=(",", ":")).encode()


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """These errors, as the OpenAPI document tells of them."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in statuses
    }


def problem(status: int, detail: str, **more: Any) -> Response:
    """`more` are other fields of a Problem, and `headers`."""
    headers = dict(more.pop("headers", None) or {})
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.setdefault("Retry-After", "1")
    told = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, **more)
    body = {"type": told.type} | told.model_dump(exclude_defaults=True)
    return PlainJson(body, status, headers=headers, media_type=MEDIA_TYPE)


async def of_ours(_: Request, error: Exception) -> Response:
    """An error of our own tree, in its own words."""
    assert isinstance(error, HermesError)
    status = next(status for kind, status in _STATUS if isinstance(error, kind))
    return problem(status, error.message, code=error.code, hint=error.hint)


async def of_http(request: Request, error: Exception) -> Response:
    """No such path, no such method, a body that cannot be read."""
    assert isinstance(error, HTTPException)
    said = {
        404: f"there is nothing at {request.url.path[:_LONGEST_PLACE]}",
        405: f"{request.method[:_LONGEST_PLACE]} is not possible here",
    }
    detail = said.get(error.status_code, error.detail)
    return problem(error.status_code, detail, headers=error.headers)


async def of_arguments(_: Request, error: Exception) -> Response:
    """What was sent is not what is expected. Nothing of it is sent back: it may be long."""
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    if any(one["type"] == "json_invalid" for one in found):
        return problem(400, "the body is not JSON", code="wrong_call")
    faults = [
        Fault(where=".".join(map(str, one["loc"]))[:_LONGEST_PLACE], what=one["msg"])
        for one in found[:_FAULTS_SHOWN]
    ]
    said = "; ".join(f"{one.where}: {one.what}" for one in faults[:3])
    return problem(422, said, code="wrong_call", errors=faults)
