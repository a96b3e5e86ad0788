"""What pydantic-ai and the providers raise → our own errors, each with what to do about it.

The provider's own words are quoted short, and not at all where a key was refused: some quote it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from pydantic_ai import exceptions as raised

from hermes.errors import (
    ContextTooLong,
    InvalidAnswer,
    ModelFailed,
    ModelOverloaded,
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
    QuotaSpent,
    RateLimited,
    UnknownModel,
    WrongKey,
)
from hermes.models.access import KEY_VARIABLES
from hermes.models.names import ModelName

FAULTS = (raised.ModelAPIError, raised.UnexpectedModelBehavior, json.JSONDecodeError)
"""All that a request to a model raises when the model's side is at fault."""

_TOO_LONG = {"exceed_context_size_error"}  # in the words of llama.cpp's server
_QUOTED = 200


def fault_of(error: Exception, name: ModelName) -> ModelFailed:
    """Our error for theirs; anything that fits nothing better is an answer that cannot be read."""
    where = f"{name.provider}:{name.name}" + (f" at {name.base_url}" if name.own_server else "")
    if isinstance(error, raised.ModelRequestRejectedError):
        return _refusal(error, name, where)
    if isinstance(error, raised.ModelAPIError):
        return _trouble(error, where)
    return _no_answer(error, where)


def _no_answer(error: Exception, where: str) -> InvalidAnswer:
    return InvalidAnswer(
        f"{where} sent something that is no answer: {_short(str(error))}",
        hint="try again, or use another model",
    )


def _refusal(error: raised.ModelRequestRejectedError, name: ModelName, where: str) -> ModelFailed:
    if isinstance(error, raised.ModelAuthenticationError):
        variable = KEY_VARIABLES.get(name.provider)
        hint = f"check {variable} in the environment" if variable else "check its access rules"
        return WrongKey(f"{where} does not accept the key", hint=hint)
    if isinstance(error, raised.ModelNotFoundError):
        near = getattr(error, "suggested_model_id", None)
        hint = (
            f"did you mean {near}?" if near else "check its name, and the address if you gave one"
        )
        return UnknownModel(f"{where} is not there", hint=hint)
    if (
        isinstance(error, raised.ModelContextWindowExceededError)
        or error.provider_error_type in _TOO_LONG
    ):
        return ContextTooLong(
            f"the conversation is too long for {where}",
            hint="start a new one, or use a model that reads more",
        )
    return ModelRefused(f"{where} refused the request: {_said(error)}")


def _trouble(error: raised.ModelAPIError, where: str) -> ModelFailed:
    wait = error.retry_after
    if isinstance(error, raised.ModelQuotaExceededError):
        return QuotaSpent(f"the account behind {where} has nothing left: {_said(error)}")
    if isinstance(error, raised.ModelRateLimitError):
        asked = f"; it asks to wait {wait:.0f} s" if wait else ""
        return RateLimited(f"too many requests to {where}{asked}", retry_after=wait)
    if isinstance(error, raised.ModelTimeoutError | raised.ModelRequestTimeout):
        return ModelTimedOut(
            f"{where} was silent for too long", hint="limits.answer_timeout_s sets how long"
        )
    if isinstance(error, raised.ModelConnectionError):
        return ModelUnreachable(
            f"no connection to {where}: {_cause(error)}", hint="is the server running?"
        )
    if isinstance(error, raised.ModelUnavailableError | raised.ModelServerError):
        return ModelOverloaded(f"{where} cannot answer now: {_said(error)}", retry_after=wait)
    if isinstance(error, raised.ModelHTTPError):
        return ModelFailed(f"{where} failed: {_said(error)}", retry_after=wait)
    return _no_answer(error, where)


def _said(error: raised.ModelAPIError) -> str:
    """The provider's own sentence, where its answer has one."""
    body = error.body
    for key in ("error", "message"):
        if isinstance(body, Mapping) and key in body:
            body = body[key]
    return _short(body if isinstance(body, str) else str(error))


def _cause(error: BaseException) -> str:
    """The innermost reason: the outer ones say "Connection error." and no more."""
    while error.__cause__ is not None or error.__context__ is not None:
        inner = error.__cause__ or error.__context__
        if inner is None or not str(inner):
            break
        error = inner
    return _short(str(error))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED else f"{line[: _QUOTED - 1]}…"
