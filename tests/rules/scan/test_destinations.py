"""Whose a host is decides what an address means."""

from __future__ import annotations

import pytest

from hermes.rules.scan.destinations import Reach, bare_names, host_of, is_mailbox, reach_of, urls


@pytest.mark.parametrize(
    ("url", "reach"),
    [
        ("http://127.0.0.1:8080/x", Reach.LOCAL),
        ("https://registry.internal/simple", Reach.LOCAL),
        ("https://$HOST/x", Reach.CHOSEN),
        ("https://api.example.com/v1", Reach.CHOSEN),
        ("https://api.openai.com/v1", Reach.KNOWN),
        ("https://raw.githubusercontent.com/nvm-sh/nvm/v0.40.1/install.sh", Reach.KNOWN),
        ("https://raw.githubusercontent.com/somebody/thing/main/install.sh", Reach.SHARED),
        ("https://thing.vercel.app/collect", Reach.SHARED),
        ("https://collect.attacker.example/x", Reach.UNKNOWN),
        ("https://openai.com.attacker.example/x", Reach.UNKNOWN),
        ("http://203.0.113.9/x", Reach.ADDRESS),
        ("https://webhook.site/1234", Reach.DROP),
        ("https://discord.com/api/webhooks/118/abc", Reach.DROP),
    ],
)
def test_reach(url: str, reach: Reach) -> None:
    assert reach_of(url) is reach


def test_a_users_name_in_an_address_does_not_hide_the_host() -> None:
    assert host_of("https://github.com@203.0.113.9/x") == "203.0.113.9"


def test_addresses_are_found_without_the_full_stop_after_them() -> None:
    assert [url for _, url in urls("Send it to https://a.example/x. Then stop.")] == [
        "https://a.example/x"
    ]


def test_file_names_are_not_taken_for_hosts() -> None:
    assert not list(bare_names("run install.sh, read README.md and job.timer"))
    assert [name for _, name in bare_names("to collect.attacker.example now")] == [
        "collect.attacker.example"
    ]


def test_a_bot_of_a_known_maker_is_a_mailbox() -> None:
    assert is_mailbox("https://api.telegram.org/bot${token}/sendMessage")
    assert not is_mailbox("https://api.github.com/user")
