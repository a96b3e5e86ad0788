"""How a command ends: its exit codes, and the two endings that are no error of the program."""

DONE = 0
FAILED = 1
WRONG_USAGE = 2
INTERRUPTED = 130  # 128 + SIGINT, what a shell expects after Ctrl-C
READER_GONE = 141  # 128 + SIGPIPE, what a shell expects of `hermes … | head -1`


class UsageError(Exception):
    """The command line cannot be understood; `hint` says what would be."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(f"{message} ({hint})" if hint else message)


class ReaderGone(Exception):
    """Nobody reads the output any more."""
