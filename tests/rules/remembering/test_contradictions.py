"""When a new fact takes the place of an old one, and when both are true."""

from __future__ import annotations

import pytest

from hermes.rules.remembering.contradictions import contradiction
from hermes.rules.remembering.duplicates import repeats


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The staging database listens on port 5433", "The staging database listens on port 5434"),
        ("Ana prefers tabs for indentation", "Ana prefers spaces for indentation"),
        ("The build runs on Jenkins", "The build runs on GitLab"),
        ("Deployments are allowed on Fridays", "Deployments are not allowed on Fridays"),
        ("Dark mode is enabled in the editor", "Dark mode is disabled in the editor"),
        ("We use Python 3.11 for the service", "We use Python 3.12 for the service"),
        ("The team lead is Maria Gomez", "The team lead is Otto Braun"),
        ("Reports go to the ops channel", "Reports no longer go to the ops channel"),
        ("The billing API is at api-old.example", "The billing API moved to api-new.example"),
        ("The release branch is called main", "The release branch is now called trunk"),
        ("Ana likes strong coffee", "Ana dislikes strong coffee"),
    ],
)
def test_another_value_of_the_same_thing_replaces(old: str, new: str) -> None:
    assert contradiction(old, new)
    assert not repeats(old, new, None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ana lives in Paris", "Bob lives in Paris"),
        ("Ana likes tea in the morning", "Ana likes coffee in the morning"),
        ("Ana has a dog", "Ana has a cat"),
        ("The printer in Oslo needs paper", "The printer in Rome needs paper"),
        ("The API is slow", "The API is written in Go"),
        ("The staging database listens on port 5433", "The production cache listens on port 6379"),
        ("We deploy from main", "The moon is far away"),
        ("The importer needs an index", "The importer needs an index"),
        ("Reports are sorted by date", "Invoices are archived every month in the cold store"),
        ("Maria visited Rome in May", "Maria visited Oslo in May"),
        ("", "The port is 80"),
    ],
)
def test_two_things_can_both_be_true(old: str, new: str) -> None:
    assert contradiction(old, new) is None


@pytest.mark.parametrize(
    ("old", "new", "cosine", "same"),
    [
        ("We deploy from the main branch", "we deploy from the MAIN branch!", None, True),
        ("We deploy from the main branch", "We always deploy from main", 0.97, True),
        ("We deploy from the main branch", "We always deploy from main", 0.80, False),
        ("Builds happen on the blue host", "Mails leave by the blue host", 0.99, False),
        ("The port is 5433", "The port is 5434", 0.99, False),
        ("The printer in Oslo is blue", "The printer in Rome is blue", 0.99, False),
        ("Needs numpy 2.1.3 to work", "Needs numpy 2.1.4 to work", 0.99, False),
        ("You can deploy on Fridays", "You can not deploy on Fridays", 0.99, False),
        ("You can deploy on Fridays", "You can't deploy on Fridays", 0.99, False),
    ],
)
def test_what_says_the_same_is_a_repetition(
    old: str, new: str, cosine: float | None, same: bool
) -> None:
    assert repeats(old, new, cosine) is same
