"""Only a person's own words make a skill live at once."""

from __future__ import annotations

import pytest

from hermes.rules.asked_to_save import asked_to_save


@pytest.mark.parametrize(
    "text",
    [
        "That is how I judge sources. Save this as a skill.",
        "save that as a new skill called source-triage",
        "Please turn this into a skill",
        "make a skill of that",
        "Create a skill for weekly reports",
        "Could you write this down as a skill?",
        "add it to your skills",
        "update the csv-totals skill: use gawk",
        "fix your docker skill",
        "fix that skill, the second step is wrong",
    ],
)
def test_asking_is_heard(text: str) -> None:
    assert asked_to_save(text)


@pytest.mark.parametrize(
    "text",
    [
        "How do I judge sources?",
        "save the file as report.md",
        "Don't save this as a skill",
        "do not turn that into a skill, please",
        "no need to save it as a skill",
        "Which skills do you have?",
        "List the skills of each employee in a table",
        "use the csv-totals skill",
        "what is a skill?",
        "How can I improve my negotiation skills?",
        "Add a skills section to my CV",
        "create a table of the skills matrix of our team",
        "fix the typo in the list of their language skills",
        "",
    ],
)
def test_not_asking_is_not_taken_for_it(text: str) -> None:
    assert not asked_to_save(text)
