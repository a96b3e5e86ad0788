"""Arguments that several commands share."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError

_MOST = 1_000_000


def count(text: str) -> int:
    """How many of something a person wants to see: at least one."""
    if text.isascii() and text.isdigit() and 1 <= int(text) <= _MOST:
        return int(text)
    raise ArgumentTypeError(f"expected a number from 1 to {_MOST}, found {text!r}")


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
