"""Which texts can be kept at all: every database and every file name has to hold them."""

from __future__ import annotations

from hermes.errors import WrongCall


def is_storable(text: str) -> bool:
    """False for text with a NUL, or with half of a surrogate pair."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def check_storable(what: str, text: str) -> None:
    """Raises before anything is begun that could not be written down at its end."""
    if not is_storable(text):
        raise WrongCall(
            f"{what} has a character that cannot be stored",
            hint="leave out NUL characters and halves of surrogate pairs",
        )
