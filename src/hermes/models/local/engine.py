"""The program that runs a model file, inside this process. Loaded once, by the first question.

The file's KV cache belongs to one conversation at a time, so questions are answered one after the
other. What the next prompt has in common with the last one is not computed again.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from hermes.errors import CorruptData, DiskFailed, MissingPart

Piece = Mapping[str, Any]
OnPiece = Callable[[Piece], bool]
"""Takes a piece of the answer as it comes; True is the wish to hear no more."""

_BATCH_TOKENS = 128
"""How much of a prompt is read at a time: between two batches a cancelled question ends."""


class Engine(Protocol):
    """What LocalModel asks. `chat` returns when the answer has ended, and may be called by any
    thread; it takes and gives what OpenAI's chat completions do, as chunks of a stream."""

    @property
    def context_tokens(self) -> int: ...
    def chat(self, request: Mapping[str, Any], on_piece: OnPiece) -> None: ...


class LlamaEngine:
    """xllamacpp on one file. `threads` None takes the cores that are idle when it is loaded: a
    thread that waits for a busy core holds up all the others."""

    def __init__(self, file: Path, *, context_tokens: int, threads: int | None = None) -> None:
        self._file = file
        self._context_tokens = context_tokens
        self._threads = threads
        self._lock = threading.Lock()
        self._server: Any = None

    @property
    def context_tokens(self) -> int:
        return self._context_tokens

    def chat(self, request: Mapping[str, Any], on_piece: OnPiece) -> None:
        with self._lock:
            if on_piece({}):  # cancelled while somebody else was answered
                return
            if self._server is None:
                self._server = self._loaded()
            self._server.handle_chat_completions(dict(request), on_piece)

    def _loaded(self) -> Any:
        try:
            import xllamacpp
        except ImportError as error:
            raise MissingPart(
                "models on this machine need an extra part", hint="pip install 'hermes-loop[local]'"
            ) from error
        if not os.access(self._file, os.R_OK):
            raise DiskFailed(f"{self._file}: cannot be read", hint="`hermes model list`")
        try:
            return xllamacpp.Server(self._parameters(xllamacpp))
        except RuntimeError as error:
            raise CorruptData(
                "cannot be run as a model",
                where=str(self._file),
                hint="delete it and `hermes model pull`, or lower local_model.context_tokens",
            ) from error

    def _parameters(self, xllamacpp: Any) -> Any:
        chosen = xllamacpp.CommonParams()
        chosen.model.path = str(self._file)
        chosen.n_ctx = self._context_tokens
        chosen.n_parallel = 1
        chosen.n_batch = chosen.n_ubatch = _BATCH_TOKENS
        chosen.cache_ram_mib = 0  # old conversations are not kept beside the current one
        chosen.ctx_shift = False  # too long is an error, never a conversation without its start
        chosen.warmup = False
        chosen.verbosity = -1
        chosen.ui = False
        # It always listens on a port of the loopback as well. Nobody is told this key.
        chosen.api_keys = [secrets.token_urlsafe(32)]
        for cores in (chosen.cpuparams, chosen.cpuparams_batch):
            cores.n_threads = self._threads or _idle_cores()
            cores.poll = 0  # sleep while there is nothing to do
        return chosen


def _idle_cores() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, (cores or 1) - int(os.getloadavg()[0]))


_engines: dict[tuple[Path, int, int | None], LlamaEngine] = {}
_engines_lock = threading.Lock()


def shared_engine(file: Path, *, context_tokens: int, threads: int | None = None) -> LlamaEngine:
    """The same engine for the same file, however many models are built on it: it is a gigabyte."""
    with _engines_lock:
        key = (file, context_tokens, threads)
        if key not in _engines:
            _engines[key] = LlamaEngine(file, context_tokens=context_tokens, threads=threads)
        return _engines[key]


def _forget_parent() -> None:
    """In a forked child: the engine's threads were not copied, and a lock may be held for ever."""
    global _engines_lock
    _engines_lock = threading.Lock()
    _engines.clear()


os.register_at_fork(after_in_child=_forget_parent)
