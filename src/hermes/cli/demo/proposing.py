"""An agent writes skills: what was asked for is live, what was not waits for a person."""

from __future__ import annotations

from hermes.cli.demo.narrator import Narrator
from hermes.cli.demo.texts import RELEASE_NOTES, TIDY_CSV


def chapter(narrator: Narrator, number: int) -> None:
    narrator.chapter(
        number,
        "An agent writes two skills",
        "What the user asked for is live at once and marked unproven. What the agent thought of by "
        "itself waits for a person.",
    )
    asked = narrator.tool("create", asked=True, name="tidy-csv", content=TIDY_CSV)
    narrator.claim("the skill that was asked for is live", asked.get("state") == "active")
    narrator.claim("its file is on disk, byte for byte", narrator.text_of("tidy-csv") == TIDY_CSV)
    unasked = narrator.tool("create", name="release-notes", content=RELEASE_NOTES)
    narrator.claim(
        "the other one waits, and no prompt or folder has it",
        unasked.get("state") == "awaiting_review" and not narrator.text_of("release-notes"),
    )
    narrator.hermes("skills", "list")
    _review(narrator, str(unasked.get("candidate")))


def _review(narrator: Narrator, candidate: str) -> None:
    narrator.hermes("review", "list")
    start = candidate.removeprefix("candidate_")[:10]  # any part that is unique will do
    narrator.hermes("review", "show", start)
    narrator.hermes("review", "approve", start, "--by", "ana", "--note", "reads well")
    with narrator.open() as home:
        skill = home.ledger.skills.named("release-notes", "personal")
        release = home.ledger.releases.current(skill.id) if skill else None
    narrator.claim(
        "it is live now, and the release says who let it live",
        release is not None
        and release.approval.by == "ana"
        and narrator.text_of("release-notes") == RELEASE_NOTES,
    )
