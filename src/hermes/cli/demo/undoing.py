"""What went wrong is taken back; what is put away comes back; what is pinned stays."""

from __future__ import annotations

from hermes.cli.demo.narrator import Narrator
from hermes.cli.demo.texts import TIDY_CSV


def chapter(narrator: Narrator, number: int) -> None:
    narrator.chapter(
        number,
        "It is taken back",
        "Any version that was live can be live again, in one command, byte for byte. Nothing is "
        "ever deleted.",
    )
    narrator.hermes(
        "skills", "rollback", "tidy-csv", "--to", "1", "--by", "ana", "--note", "simpler was better"
    )
    narrator.claim("version 1 is back, byte for byte", narrator.text_of("tidy-csv") == TIDY_CSV)
    narrator.hermes("skills", "archive", "tidy-csv", "--by", "ana", "--reason", "not used")
    narrator.claim("its folder is gone from disk", not (narrator.skills / "tidy-csv").exists())
    narrator.hermes("skills", "restore", "tidy-csv", "--by", "ana")
    narrator.claim("the same bytes came back", narrator.text_of("tidy-csv") == TIDY_CSV)
    narrator.hermes("skills", "pin", "tidy-csv", "--by", "ana")
    answer = narrator.tool(
        "patch", asked=True, name="tidy-csv", old_string="Strip every", new_string="Keep every"
    )
    narrator.claim("an agent cannot change what a person pinned", answer.get("error") == "refused")
