"""Draw docs/pictures/chat.svg: a short conversation, as a real terminal shows it.

Usage: python scripts/draw_chat.py [OUT]. The model follows a script and the work is invented; the
program, its terminal and what it prints are real.
"""

from __future__ import annotations

import io
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

from rich.console import Console
from rich.style import Style
from rich.text import Text

from hermes import settings
from hermes.app import manage_tool, open_home
from hermes.cli.main import main as hermes
from hermes.testing.homes import AGENT, skill_text
from hermes.testing.model_servers import Calls, Says, openai_server
from hermes.testing.terminal import Terminal

OUT = Path(__file__).parent.parent / "docs" / "pictures" / "chat.svg"
MODEL = "openai:qwen3"
SIZE = (92, 24)
COUNT = "awk -F, 'NR>1 && $2>100' orders.csv | wc -l > out.txt"
ORDERS = "id,amount\n1,50\n2,150\n3,200\n"
LIVE = {
    "csv-threshold-counts": "Count rows of a CSV above a value.",
    "release-notes": "Write release notes from the commits since the last tag.",
}
COLOURS = {"default": None, "brightblack": "bright_black", "brown": "yellow"}


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    with tempfile.TemporaryDirectory() as folder:
        lines = _session(Path(folder))
    console = Console(
        record=True, width=SIZE[0], file=io.StringIO(), force_terminal=True, legacy_windows=False
    )
    for line in lines:
        console.print(line, no_wrap=True, crop=True)
    out.write_text(console.export_svg(title="hermes", unique_id="chat"))
    print(f"{out} is drawn")


def _session(root: Path) -> list[Text]:
    project = root / "orders"
    project.mkdir()
    (project / "orders.csv").write_text(ORDERS)
    environ = {"HERMES_HOME": str(root / "home"), "HOME": str(root)}
    for name, description in LIVE.items():
        skill = root / "home" / "skills" / name
        skill.mkdir(parents=True)
        (skill / "SKILL.md").write_text(skill_text(name, description))
    replies = (
        Calls("shell", {"command": "head -2 orders.csv"}),
        Calls("shell", {"command": COUNT}),
        Says("2 orders are above 100. The number is in out.txt."),
    )
    with openai_server(*replies) as server:
        with redirect_stdout(io.StringIO()):
            hermes(["model", "use", f"{MODEL}@{server.url}"], environ)
            hermes(["config", "set", "jobs.detach", "false"], environ)
            hermes(["skills", "list"], environ)
        with Terminal(environ, project, size=SIZE) as chat:
            chat.ask("how many orders are above 100? write the number to out.txt")
            chat.ask("/rate up --by ana")
            with open_home(settings.load(environ)) as home:
                draft = skill_text("pr-review", "Review a pull request: CI, diff, style, comments.")
                arguments = {"action": "create", "name": "pr-review", "content": draft}
                manage_tool(home)(arguments, AGENT)
            chat.wait("1 draft awaits review")
            chat.prompt()
            chat.press("/r")
            chat.wait("/release-notes")
            chat.until(lambda: "/skills" not in chat.text, "the popup to follow what is typed")
            return [_line(chat, at, server.url) for at in range(len(chat.lines))]


def _line(chat: Terminal, at: int, url: str) -> Text:
    """One line of the screen with its colours; the server's address is nobody's business."""
    row, text = chat.screen.buffer[at], Text()
    for column in range(SIZE[0]):
        one = row[column]
        colour = COLOURS.get(one.fg, one.fg)
        ground = COLOURS.get(one.bg, one.bg)
        style = Style(
            color=f"#{colour}" if colour and len(colour) == 6 and _is_hex(colour) else colour,
            bgcolor=f"#{ground}" if ground and len(ground) == 6 and _is_hex(ground) else ground,
            bold=one.bold,
            reverse=one.reverse,
        )
        text.append(one.data, style)
    if url in text.plain:
        start = text.plain.index(f"@{url}")
        text = text[:start] + text[start + len(url) + 1 :]
    text.rstrip()
    return text


def _is_hex(text: str) -> bool:
    return all(one in "0123456789abcdef" for one in text)


if __name__ == "__main__":
    main()
