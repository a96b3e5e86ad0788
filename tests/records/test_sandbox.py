"""A policy is one value that cannot ask for what must never be."""

from __future__ import annotations

import pytest

from hermes.records.codec import dump, load
from hermes.records.sandbox import (
    DATA_TARGET,
    SKILLS_TARGET,
    Limits,
    Mount,
    NetworkGrant,
    Purpose,
    SandboxPolicy,
    SandboxRun,
)

GRANT = NetworkGrant(hosts=("example.com",), approved_by="ada")


def trial() -> SandboxPolicy:
    return SandboxPolicy.trial(skills="/s", data="/d", packages="/p", environment={"A": "b"})


def test_a_trial_has_two_writable_folders_and_no_network() -> None:
    policy = trial()
    assert [mount.target for mount in policy.writable()] == [SKILLS_TARGET, DATA_TARGET]
    assert policy.network is None
    assert policy.purpose is Purpose.TRIAL


def test_a_trial_cannot_have_the_network() -> None:
    with pytest.raises(ValueError, match="no network"):
        SandboxPolicy(purpose=Purpose.TRIAL, mounts=(), network=GRANT)


def test_a_workspace_may() -> None:
    assert SandboxPolicy.workspace(project="/home/ada/x", network=GRANT).network == GRANT


def test_a_workspace_guards_what_others_obey() -> None:
    policy = SandboxPolicy.workspace(project="/home/ada/x/")
    assert "/home/ada/x/.git/hooks" in policy.guarded
    assert "/home/ada/x/.mcp.json" in policy.guarded
    assert "/home/ada/x/.ssh" in policy.concealed
    assert policy.cwd == "/home/ada/x"


@pytest.mark.parametrize("project", ["/", "/tmp", "/etc", "/proc", "/proc/1", "/dev/shm", "/usr"])
def test_a_project_is_not_the_system(project: str) -> None:
    with pytest.raises(ValueError, match="made by the sandbox"):
        SandboxPolicy.workspace(project=project)


@pytest.mark.parametrize("path", ["relative", "/a/../b", ""])
def test_a_mount_has_plain_paths(path: str) -> None:
    with pytest.raises(ValueError, match="absolute"):
        Mount(source=path, target="/x")


def test_two_mounts_do_not_share_a_target() -> None:
    mounts = (Mount(source="/a", target="/x"), Mount(source="/b", target="/x/"))
    with pytest.raises(ValueError, match="share"):
        SandboxPolicy(purpose=Purpose.WORKSPACE, mounts=mounts)


@pytest.mark.parametrize("hosts", [(), ("*.example.com",), ("http://example.com/",)])
def test_a_grant_names_hosts(hosts: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="names"):
        NetworkGrant(hosts=hosts, approved_by="ada")


def test_a_grant_names_who_approved_it() -> None:
    with pytest.raises(ValueError, match="approved"):
        NetworkGrant(hosts=("example.com",), approved_by=" ")


@pytest.mark.parametrize("name", Limits.__slots__)
def test_no_limit_is_zero(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        Limits(**{name: 0})


@pytest.mark.parametrize("argv", [(), ("a\0b",)])
def test_a_command_is_a_command(argv: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="command"):
        SandboxRun(argv=argv, policy=trial())


def test_a_policy_survives_being_written_down() -> None:
    for policy in (trial(), SandboxPolicy.workspace(project="/home/ada/x", network=GRANT)):
        assert load(SandboxPolicy, dump(policy)) == policy
