"""A skill is changed by tool and by hand; a broken edit harms nobody."""

from __future__ import annotations

from hermes.cli.demo.narrator import Narrator

_PATCH = "on commas yourself"
_BETTER = "on commas, cells contain them"


def chapter(narrator: Narrator, number: int) -> None:
    narrator.chapter(
        number,
        "It is changed by tool and by hand",
        "Skills are files: edit them with anything. Every change becomes a version with an author.",
    )
    narrator.tool("patch", asked=True, name="tidy-csv", old_string=_PATCH, new_string=_BETTER)
    file = narrator.skills / "tidy-csv" / "SKILL.md"
    by_hand = narrator.text_of("tidy-csv") + "4. Compare the number of rows before and after.\n"
    narrator.edit(
        'echo "4. Compare the number of rows before and after." >> skills/tidy-csv/SKILL.md',
        file,
        by_hand,
    )
    narrator.hermes("skills", "history", "tidy-csv")
    narrator.hermes("skills", "diff", "tidy-csv")
    with narrator.open() as home:
        live = home.reader.live("tidy-csv")
    is_by_hand = live.version.number == 3 and live.version.origin == "user"
    narrator.claim("the edit by hand is version 3, written by a person", is_by_hand)
    _broken_edit(narrator, by_hand)


def _broken_edit(narrator: Narrator, good: str) -> None:
    narrator.out.line()
    narrator.say("Now somebody deletes the description, which every skill needs.")
    narrator.edit(
        "sed -i /^description/d skills/tidy-csv/SKILL.md",
        narrator.skills / "tidy-csv" / "SKILL.md",
        "".join(line for line in good.splitlines(True) if not line.startswith("description")),
    )
    told = narrator.hermes("skills", "show", "tidy-csv")
    narrator.claim("the problem is told with file and line", "SKILL.md:" in told)
    with narrator.open() as home:
        live = home.reader.live("tidy-csv")
        content = home.ledger.versions.folder(live.version).skill_md.decode()
    narrator.claim("the last good version stays live", content == good)
    narrator.hermes("skills", "restore", "tidy-csv", "--by", "ana")
    narrator.claim("its bytes are on disk again", narrator.text_of("tidy-csv") == good)
