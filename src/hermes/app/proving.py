"""A live skill, proven again on the runs that it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes.app.replaying import leave_one_out

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.records.replay import Proof
    from hermes.records.skill import Skill


def prove_skill(home: Home, skill: Skill) -> Proof:
    """The live version of a skill on the examples that it was made from.

    Raises Refused where it has no program, or where nobody knows of examples.
    """
    from hermes.errors import Refused
    from hermes.rules.procedures import runnable
    from hermes.rules.requirements import declared

    version = home.ledger.active(skill)
    if version is None:
        raise Refused(f"skill '{skill.name}' is not live, so there is nothing to prove")
    folder = home.ledger.versions.folder(version)
    procedure = runnable(folder, skill.name)
    candidate = home.ledger.candidates.of_version(version.id)
    examples = (candidate.evidence.example_ids if candidate else ()) or procedure.example_ids
    if not examples:
        raise Refused(
            f"skill '{skill.name}' was not made from examples that are known here",
            hint="only what was learned from recorded work can be replayed",
        )
    check = leave_one_out(home.settings, home.database, lambda: home.trials)
    return check.prove(procedure, examples, declared(folder, procedure.dependencies))
