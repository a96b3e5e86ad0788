"""`skills grant` and `skills revoke`, and where they are shown."""

from __future__ import annotations

import pytest

from .conftest import Shell

BY = ("--by", "ana")
HOST = "api.example.com"


@pytest.fixture
def rates(shell: Shell) -> Shell:
    shell.create("rates", body="one")
    return shell


def test_a_host_is_granted_shown_and_taken_back(rates: Shell) -> None:
    assert "network      -" in rates("skills", "show", "rates").out
    answer = rates("skills", "grant", "rates", "--host", HOST, "--host", "10.0.0.7:81", *BY)
    assert (answer.code, answer.out) == (
        0,
        f"rates may now reach {HOST}, 10.0.0.7:81 when it is run\n",
    )
    assert "`hermes skills revoke rates` takes it back" in answer.err
    assert f"network      {HOST}, 10.0.0.7:81" in rates("skills", "show", "rates").out
    back = rates("skills", "revoke", "rates", "--host", "10.0.0.7:81", *BY)
    assert back.out == "rates may no longer reach 10.0.0.7:81\n"
    assert rates("skills", "show", "rates", "--json").json["network"] == [HOST]


def test_the_reasons_are_told(rates: Shell) -> None:
    rates("skills", "grant", "rates", "--host", HOST, *BY, "--note", "daily rates")
    rates.agent("patch", asked=True, name="rates", old_string="one", new_string="two")
    tree = rates("skills", "why", "rates").out
    assert f"{HOST}, granted to version 1" in tree
    assert "approved by ana (pipe" in tree
    assert "does not hold: what is live is not that version" in tree
    trail = rates("events", "--skill", "rates").out
    assert f"ana let rates reach {HOST} when it is run: daily rates (pipe)" in trail
    plain = rates("skills", "why", "rates", "--json").json
    assert (plain["network"], plain["grants"][0]["host"]) == ([], HOST)


def test_a_program_reads_json(rates: Shell) -> None:
    asked = ("skills", "grant", "rates", "--host", HOST, *BY, "--json")
    assert rates(*asked).json == {"name": "rates", "granted": [HOST], "network": [HOST]}
    assert rates(*asked).json == {"name": "rates", "granted": [], "network": [HOST]}
    answer = rates("skills", "revoke", "rates", *BY, "--json").json
    assert answer == {"name": "rates", "revoked": [HOST], "network": []}


def test_nothing_to_do_is_said(rates: Shell) -> None:
    assert "it was granted no host" in rates("skills", "revoke", "rates", *BY).out
    rates("skills", "grant", "rates", "--host", HOST, *BY)
    again = rates("skills", "grant", "rates", "--host", HOST, *BY)
    assert again.out == "rates: nothing to do, it was so already\n"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("rates", "--host", HOST), 2, "--by"),
        (("rates", *BY), 2, "--host"),
        (("rates", "--host", HOST, "--by", "policy:trust"), 1, "a policy is not a person"),
        (("rates", "--host", "https://x.example/y", *BY), 1, "is not a host"),
        (("rate", "--host", HOST, *BY), 1, "did you mean rates?"),
    ],
)
def test_a_grant_that_cannot_be_given(
    rates: Shell, words: tuple[str, ...], code: int, said: str
) -> None:
    answer = rates("skills", "grant", *words)
    assert answer.code == code
    assert said in answer.err
    assert rates("skills", "show", "rates", "--json").json["network"] == []


def test_a_switch_for_the_whole_network_is_refused(shell: Shell) -> None:
    answer = shell("config", "set", "sandbox.network", "true")
    assert answer.code == 1
    assert "hermes skills grant" in answer.err
