"""The right skill is found by its meaning, and a prompt never holds more than it may."""

from __future__ import annotations

from hermes.app import prompt_catalogue, skill_search
from hermes.cli.demo.narrator import Narrator
from hermes.cli.demo.texts import library
from hermes.rules.catalogue import quarter_of_characters

_NEED = "put a chaotic spreadsheet in order"


def chapter(narrator: Narrator, number: int) -> None:
    narrator.chapter(
        number,
        "It is found among two hundred others",
        "A need is put in words that the skill itself does not use. A prompt gets the skills that "
        "fit and a count of the rest, within its budget of tokens at any size of the library.",
    )
    for name, text in library():
        folder = narrator.skills / "runbooks" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(text)
    narrator.hermes("skills", "search", _NEED, "-k", "3")
    with narrator.open() as home:
        search = skill_search(home)
        hits = search.search(_NEED, 1)
        budget = home.settings.skills.catalog_token_budget
        page = prompt_catalogue(home, search)(_NEED)
        live = sum(line.version is not None for line in home.listing.lines())
    narrator.excerpt(f"The catalogue that a prompt gets for “{_NEED}”:", page)
    narrator.claim("tidy-csv comes first", [hit.skill.name for hit in hits] == ["tidy-csv"])
    tokens = quarter_of_characters(page)
    narrator.claim(
        f"the catalogue for this task has {tokens:,} tokens of at most {budget:,}, with {live} "
        "skills live",
        0 < tokens <= budget and "tidy-csv" in page and live > 200,
    )
