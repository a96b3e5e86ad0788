"""Which hosts a version has, and what counts as a host."""

from __future__ import annotations

import pytest

from hermes.errors import WrongCall
from hermes.records.origin import Origin
from hermes.records.version import Version
from hermes.rules.grants import in_force, plain_host
from hermes.testing import samples
from hermes.testing.grants import sample_grant

SKILL = "skill_1"


def line(*origins: Origin) -> list[Version]:
    """Versions of one skill, each made from the one before it."""
    versions: list[Version] = []
    for origin in origins:
        parent = versions[-1].id if versions else None
        versions.append(samples.version(SKILL, origin=origin, parent_id=parent))
    return versions


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("api.example.com", "api.example.com"),
        (" API.Example.COM ", "api.example.com"),
        ("localhost:8080", "localhost:8080"),
        ("10.0.0.7", "10.0.0.7"),
        ("[::1]:443", "[::1]:443"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ],
)
def test_a_host_has_one_spelling(text: str, host: str) -> None:
    assert plain_host(text) == host


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "*", "*.example.com", "https://example.com", "example.com/path", "a b"),
        *("user@example.com", "example.com:", "example.com:0", "example.com:65536", "::1"),
        *("-a.example", "a..b", "bücher.example", "a\nb", "example.com?", "a" * 254),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(WrongCall):
        plain_host(text)


@pytest.mark.parametrize("origin", [one for one in Origin if one is not Origin.USER])
def test_a_version_that_no_person_wrote_does_not_inherit(origin: Origin) -> None:
    first, second = line(Origin.EXTERNAL, origin)
    grant = sample_grant(SKILL, first.id)
    assert in_force([grant], first, [first, second]) == (grant,)
    assert in_force([grant], second, [first, second]) == ()


def test_what_a_person_made_of_it_by_hand_inherits() -> None:
    versions = line(Origin.EXTRACT, Origin.USER, Origin.USER)
    grant = sample_grant(SKILL, versions[0].id)
    assert in_force([grant], versions[2], versions) == (grant,)


def test_an_edit_of_what_a_machine_wrote_in_between_does_not() -> None:
    versions = line(Origin.USER, Origin.REFINE, Origin.USER)
    grant = sample_grant(SKILL, versions[0].id)
    assert in_force([grant], versions[2], versions) == ()


def test_an_earlier_version_that_came_back_has_only_its_own() -> None:
    versions = line(Origin.EXTRACT, Origin.USER)
    early, late = (sample_grant(SKILL, version.id, host=version.id) for version in versions)
    assert in_force([early, late], versions[0], versions) == (early,)
    assert in_force([early, late], versions[1], versions) == (early, late)


def test_what_was_taken_back_or_is_not_live_holds_for_nothing() -> None:
    (version,) = line(Origin.USER)
    revoked = sample_grant(SKILL, version.id, revoked=samples.APPROVAL)
    assert in_force([revoked], version, [version]) == ()
    assert in_force([sample_grant(SKILL, version.id)], None, [version]) == ()
