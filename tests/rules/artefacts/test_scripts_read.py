"""Shell scripts as commands: read where that is certain, and not at all where it is not."""

from __future__ import annotations

import pytest

from hermes.rules.artefacts.shell import Command, Word, commands_of


def _commands(script: str) -> list[Command]:
    commands = commands_of(script)
    assert commands is not None
    return commands


def _words(command: Command) -> list[str]:
    return [word.text for word in command.words]


def test_words_separators_and_quotes() -> None:
    first, second, third = _commands("""cd '/p q' && X=1 echo "a \\"b\\"" c\\ d # note\nls -la; """)
    assert _words(first) == ["cd", "/p q"]
    assert _words(second) == ["echo", 'a "b"', "c d"]
    assert _words(third) == ["ls", "-la"]


def test_a_pipe_joins_two_commands() -> None:
    first, second = _commands("sort a.csv | uniq -c > out.txt 2>&1")
    assert (first.feeds, first.fed, second.feeds, second.fed) == (True, False, False, True)
    assert [(one.sign, one.target.text) for one in second.redirects] == [(">", "out.txt")]


def test_a_here_document_is_the_text_between_its_marks() -> None:
    quoted, after = _commands("cat > a.py <<'EOF'\nprint(\"$x\")\nEOF\npython a.py")
    assert quoted.document == 'print("$x")\n'
    assert _words(after) == ["python", "a.py"]
    (open_one,) = _commands("cat > a.txt <<EOF\ncost: $x\nEOF")
    assert open_one.document is None, "a shell would fill it in"
    (plain,) = _commands("cat > a.txt <<EOF\nplain\nEOF\n")
    assert plain.document == "plain\n"
    (tabs,) = _commands("tee a.txt <<-'E'\n\tx\n\tE\n")
    assert tabs.document == "x\n"


def test_what_a_shell_fills_in_is_not_literal() -> None:
    (command,) = _commands('cat "$HOME/a" *.csv ~/b plain')
    assert [word.literal for word in command.words] == [True, False, False, False, True]
    assert command.words[-1] == Word("plain")


@pytest.mark.parametrize(
    "script",
    [
        "for f in *.csv; do cat $f; done",
        "if true; then ls; fi",
        "(cd a && ls)",
        "sleep 100 &",
        "echo $(date)",
        "echo `date`",
        "echo 'open",
        'echo "open',
        "cat <<EOF\nno end",
        "x" * 300_000,
    ],
)
def test_what_cannot_be_told_is_not_read(script: str) -> None:
    assert commands_of(script) is None
