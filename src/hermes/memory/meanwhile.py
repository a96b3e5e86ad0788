"""One call on a thread of its own, while the caller does something else."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")


def meanwhile(
    call: Callable[Given, Result], *given: Given.args, **named: Given.kwargs
) -> Callable[[], Result]:
    """Begins the call; what comes back waits for its end, and returns or raises what it did.

    A thread for each call, not a pool: starting one takes less than a tenth of a millisecond, none
    is left behind, and none is missing in a forked child.
    """
    promised: Future[Result] = Future()

    def run() -> None:
        try:
            promised.set_result(call(*given, **named))
        except BaseException as error:  # noqa: BLE001  raised again where it is waited for
            promised.set_exception(error)

    threading.Thread(target=run, name="meanwhile", daemon=True).start()
    return promised.result
