"""Arguments that several commands share."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError

_MOST = 1_000_000
_UNITS = {"s": 1, "m": 60, "h": 3600}
_DAYS = {"d": 1, "w": 7}
_OLDEST = 36_500  # a century: beyond it dates run out before patience does


def count(text: str) -> int:
    """How many of something a person wants to see: at least one."""
    if text.isascii() and text.isdigit() and 1 <= int(text) <= _MOST:
        return int(text)
    raise ArgumentTypeError(f"expected a number from 1 to {_MOST}, found {text!r}")


def seconds(text: str) -> float:
    """A length of time as people write it: 90, 60s, 5m, 2h."""
    number, unit = (text[:-1], text[-1]) if text[-1:] in _UNITS else (text, "s")
    if number.isascii() and number.isdigit() and 1 <= int(number) <= _MOST:
        return float(int(number) * _UNITS[unit])
    raise ArgumentTypeError(f"expected a length of time such as 60s or 5m, found {text!r}")


def days(text: str) -> float:
    """An age in days as people write it: 90d, 12w."""
    number, unit = text[:-1], text[-1:]
    if unit in _DAYS and number.isascii() and number.isdigit() and 1 <= int(number) <= _OLDEST:
        return float(int(number) * _DAYS[unit])
    raise ArgumentTypeError(f"expected an age such as 90d or 12w, found {text!r}")


def version_number(text: str) -> int:
    """`3` or `v3`, as people write versions."""
    digits = text.removeprefix("v")
    if digits.isascii() and digits.isdigit() and 1 <= int(digits) <= _MOST:
        return int(digits)
    raise ArgumentTypeError(f"expected the number of a version, found {text!r}")


def name_argument(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the skill")


def id_argument(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="any part of its beginning that is unique")


def limit_option(parser: ArgumentParser, default: int) -> None:
    parser.add_argument(
        "--limit", type=count, default=default, metavar="N", help=f"the last N ({default})"
    )
