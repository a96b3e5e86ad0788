"""A call goes on beside its caller, and its end is the caller's."""

from __future__ import annotations

import threading

import pytest

from hermes.memory.meanwhile import meanwhile


def test_the_caller_goes_on_before_it_ends() -> None:
    go = threading.Event()

    def slow(word: str, *, times: int) -> str:
        assert go.wait(30)
        return word * times

    result = meanwhile(slow, "ab", times=2)
    go.set()
    assert result() == "abab"
    assert result() == "abab"


def test_what_it_raises_is_raised_where_it_is_waited_for() -> None:
    def failing() -> None:
        raise ValueError("no such thing")

    result = meanwhile(failing)
    with pytest.raises(ValueError, match="no such thing"):
        result()


def test_no_thread_is_left_behind() -> None:
    result = meanwhile(threading.get_ident)
    assert result() != threading.get_ident()
    for thread in threading.enumerate():
        if thread.name == "meanwhile":
            thread.join(30)
            assert not thread.is_alive()
