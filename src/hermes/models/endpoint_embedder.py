"""An embedder behind any endpoint that speaks OpenAI's `/v1/embeddings`.

What can pass by itself is tried again, within a bounded time; what cannot is told with what to do.
After a failure nobody waits for the next one: for a while every call fails at once, so that adding
goes on without vectors and recall goes by words. The failure is told once, not once a call.
"""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hermes.errors import EmbedderUnavailable
from hermes.models.embedder_answer import said_in, unit_vectors
from hermes.models.embedder_wire import Answer, Unanswered, Wire

_MOST_TEXTS = 64
_MOST_CHARACTERS = 100_000
_LONGEST = 8_000
"""Characters of a text that are sent: what follows would blur the vector, and costs money."""
_SHORTEST = 200
"""Whoever refuses a text of so few characters does not refuse it for its length."""
_LONGEST_PAUSE = 600.0
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_MAY_BE_TOO_LONG = frozenset({400, 413, 422})
_TOO_LONG = re.compile(rb"too (?:long|large)|context (?:length|size)|maximum.{0,20}tokens", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where the model is. `key_variable` is the name of the key's place, never the key."""

    base_url: str
    model: str
    dimensions: int
    key_variable: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds that one text or one batch may take with all attempts, and until the next try."""

    one: float = 10.0
    batch: float = 60.0
    attempts: int = 4
    first_wait: float = 0.25
    pause: float = 30.0


class EndpointEmbedder:
    """Implements ports.Embedder. Safe to share between threads. `embed` raises EmbedderUnavailable.

    `tell` gets the words of each outage when it begins.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        key: str | None = None,
        tell: Callable[[str], None] | None = None,
        patience: Patience | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._key = key
        self._tell = tell or _warn
        self._patience = patience or Patience()
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._wire = Wire(endpoint.base_url.rstrip("/") + "/embeddings", headers)
        self._lock = threading.Lock()
        self._outage: EmbedderUnavailable | None = None
        self._asked_again_at = 0.0

    @property
    def name(self) -> str:
        """With the address: two servers may call two models by the same name."""
        at = self._endpoint
        return f"{at.model}/{at.dimensions}@{at.base_url.rstrip('/')}"

    @property
    def dimensions(self) -> int:
        return self._endpoint.dimensions

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One unit vector a text, in their order; all of them or an error."""
        if not texts:
            return []
        with self._lock:
            if self._outage is not None and time.monotonic() < self._asked_again_at:
                raise EmbedderUnavailable(self._outage.message, hint=self._outage.hint)
        try:
            self._check_key()
            vectors: list[bytes] = []
            for batch in _batches([_sendable(text) for text in texts]):
                seconds = self._patience.one if len(texts) == 1 else self._patience.batch
                vectors += self._embedded(batch, time.monotonic() + seconds)
        except EmbedderUnavailable as error:
            self._away(error, self._patience.pause)
            raise
        with self._lock:
            self._outage = None
        return vectors

    def _embedded(self, texts: list[str], ends: float) -> list[bytes]:
        """A refused batch is asked for in halves, a refused text by its first half: the server
        alone knows how long a text may be for it."""
        answer = self._answer(texts, ends)
        if answer.status == 200:
            return unit_vectors(answer.body, len(texts), self._endpoint)
        refused = answer.status in _MAY_BE_TOO_LONG or _TOO_LONG.search(answer.body)
        if refused and len(texts) > 1:
            middle = len(texts) // 2
            return self._embedded(texts[:middle], ends) + self._embedded(texts[middle:], ends)
        if refused and len(texts[0]) > _SHORTEST:
            return self._embedded([texts[0][: len(texts[0]) // 2]], ends)
        raise self._refusal(answer)

    def _answer(self, texts: list[str], ends: float) -> Answer:
        """The first answer that waiting would not better."""
        asked: dict[str, Any] = {"model": self._endpoint.model, "input": texts}
        if self._endpoint.model.startswith("text-embedding-3"):  # the ones that can be shortened
            asked["dimensions"] = self._endpoint.dimensions
        body = json.dumps(asked).encode()
        wait = self._patience.first_wait
        for attempt in range(1, self._patience.attempts + 1):
            last = attempt == self._patience.attempts
            try:
                answer = self._wire.post(body, max(ends - time.monotonic(), 0.001))
            except Unanswered as error:
                if last or time.monotonic() + wait >= ends:
                    raise self._silence(str(error)) from error
            else:
                if answer.status not in _PASSING or _lasts(answer.body):
                    return answer
                wait = max(wait, _seconds(answer.retry_after))
                if last or time.monotonic() + wait >= ends:
                    raise self._overload(answer)
            time.sleep(wait * random.uniform(0.8, 1.2))
            wait *= 2
        raise self._silence("it was never asked")

    def _check_key(self) -> None:
        if self._key and not (self._key.isascii() and self._key.isprintable()):
            raise EmbedderUnavailable(
                f"{self._endpoint.key_variable} holds characters that no key has",
                hint="copy the key again",
            )

    def _away(self, error: EmbedderUnavailable, pause: float) -> None:
        with self._lock:
            begins = self._outage is None or self._outage.message != error.message
            self._outage = error
            self._asked_again_at = max(self._asked_again_at, time.monotonic() + pause)
        if begins:
            self._tell(f"searching by words alone: {error}")

    def _silence(self, why: str) -> EmbedderUnavailable:
        return EmbedderUnavailable(
            f"the embedder at {self._endpoint.base_url} is not there: {why}",
            hint="start it, or correct memory.embedder",
        )

    def _overload(self, answer: Answer) -> EmbedderUnavailable:
        with self._lock:
            asked_to_wait = min(_seconds(answer.retry_after), _LONGEST_PAUSE)
            self._asked_again_at = time.monotonic() + asked_to_wait
        said = said_in(answer.body, self._key)
        return EmbedderUnavailable(
            f"the embedder at {self._endpoint.base_url} cannot answer now"
            f" (status {answer.status}{said})",
            hint="it is asked again later; nothing is lost",
        )

    def _refusal(self, answer: Answer) -> EmbedderUnavailable:
        at = self._endpoint
        said = said_in(answer.body, self._key)
        if answer.status in (401, 403):
            variable = at.key_variable
            hint = f"set {variable} to a valid key" if variable else "name its key: api_key_env"
            what = "refuses the key" if self._key else "wants a key"
        elif answer.status in (404, 405) or 300 <= answer.status < 400:
            what = f"knows no {at.model}, or is no embeddings endpoint"
            hint = "correct model or base_url of memory.embedder"
        else:
            what, hint = "refuses the request", "correct memory.embedder"
        return EmbedderUnavailable(
            f"the embedder at {at.base_url} {what} (status {answer.status}{said})", hint=hint
        )


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """By count and by size, whichever is reached first."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == _MOST_TEXTS or size + len(text) > _MOST_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def _sendable(text: str) -> str:
    """Without what JSON or a server would stumble over; nothing at all is sent as a full stop."""
    start = " ".join(text[: 8 * _LONGEST].replace("\0", " ").split())[:_LONGEST]
    return start.encode("utf-8", "replace").decode() or "."


def _seconds(retry_after: str | None) -> float:
    """What a server asks to wait; a date, which hardly any sends, counts as nothing said."""
    try:
        return max(0.0, float(retry_after or 0))
    except ValueError:
        return 0.0


def _lasts(body: bytes) -> bool:
    """A status of overload that waiting does not cure."""
    return b"insufficient_quota" in body or _TOO_LONG.search(body) is not None


def _warn(words: str) -> None:
    import logging

    logging.getLogger("hermes.embedder").warning("%s", words)
