"""Every form of token is found at its shortest, whatever stands around it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.redact.credentials import without_credentials

ALNUM = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7" * 4
HEX = "3f786850e387550fdab836ed7e6dc881de23001b" * 2
UPPER = "Q3EGRWXN7TZ4PLMB" * 4
BASE64 = "aB3/dE6+gH9/jK2+mN5/pQ8+sT1/vW4+yZ7/"  # no long word in it
SHORTEST = {
    "aws": f"AKIA{UPPER[:16]}",
    "aws, for a while": f"ASIA{UPPER[:16]}",
    "github": f"ghp_{ALNUM[:30]}",
    "github, fine-grained": f"github_pat_{ALNUM[:22]}",
    "gitlab": f"glpat-{ALNUM[:20]}",
    "gitlab, trigger": f"glptt-{ALNUM[:20]}",
    "slack": f"xoxb-{ALNUM[:10]}",
    "slack, app": f"xapp-1-{ALNUM[:20]}",
    "openai": f"sk-{ALNUM[:20]}",
    "groq": f"gsk_{ALNUM[:20]}",
    "xai": f"xai-{ALNUM[:20]}",
    "stripe": f"rk_test_{ALNUM[:12]}",
    "webhook": f"whsec_{BASE64[:20]}",
    "google": f"AIza{ALNUM[:35]}",
    "google, oauth": f"ya29.{ALNUM[:20]}",
    "google, client": f"GOCSPX-{ALNUM[:20]}",
    "npm": f"npm_{ALNUM[:36]}",
    "pypi": f"pypi-{ALNUM[:50]}",
    "hugging face": f"hf_{ALNUM[:30]}",
    "replicate": f"r8_{ALNUM[:30]}",
    "sendgrid": f"SG.{ALNUM[:16]}.{ALNUM[:16]}",
    "twilio": f"AC{HEX[:32]}",
    "digitalocean": f"dop_v1_{HEX[:64]}",
    "databricks": f"dapi{HEX[:32]}",
    "linear": f"lin_api_{ALNUM[:30]}",
    "notion": f"ntn_{ALNUM[:30]}",
    "supabase": f"sbp_{ALNUM[:30]}",
    "shopify": f"shpat_{HEX[:32]}",
    "square": f"sq0atp-{ALNUM[:20]}",
    "vault": f"hvs.{ALNUM[:20]}",
    "grafana": f"glsa_{BASE64[:30]}",
    "grafana, cloud": f"glc_{BASE64[:30]}",
    "doppler": f"dp.pt.{ALNUM[:30]}",
    "postman": f"PMAK-{HEX[:24]}-{HEX[:34]}",
    "mailgun": f"key-{HEX[:32]}",
    "mailchimp": f"{HEX[:32]}-us6",
    "age": f"AGE-SECRET-KEY-1{UPPER[:50]}",
    "telegram": f"12345678:AA{ALNUM[:33]}",
    "jwt": f"eyJ{ALNUM[:10]}..",
}
AFTER_AN_ADDRESS = {
    "https://hooks.slack.com/": "services/T0/B0/x",
    "https://discord.com/api/webhooks/": f"{'12345' * 3}/{ALNUM[:40]}",
}
PLACES = ("{}", "A = '{}'\n", "see → {} ←", "é {}, und so weiter", "\N{KELVIN SIGN}\n{}\n")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", SHORTEST)
def test_the_shortest_of_each_form_is_found(form: str, place: str) -> None:
    before, after = place.format("\0").split("\0")
    cleaned = without_credentials(place.format(SHORTEST[form]))
    assert re.fullmatch(f"{re.escape(before)}<[a-z_]+>{re.escape(after)}", cleaned)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("address", AFTER_AN_ADDRESS)
def test_what_follows_an_address_is_found(address: str, place: str) -> None:
    cleaned = without_credentials(place.format(address + AFTER_AN_ADDRESS[address]))
    assert cleaned == place.format(f"{address}<token>")


around = st.text(" \n.:,;()é→İ\N{KELVIN SIGN}😀abzXYZ019", max_size=40)


@given(around, st.sampled_from(sorted(SHORTEST)), around)
def test_no_surroundings_hide_a_token(before: str, form: str, after: str) -> None:
    assert SHORTEST[form] not in without_credentials(f"{before} {SHORTEST[form]} {after}")


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("SECRET_TOKEN=aB3dE6gH9jK2mN5", "SECRET_TOKEN=<token>"),
        ("secretoken=aB3dE6gH9jK2mN5", "secretoken=aB3dE6gH9jK2mN5"),
        ("credentials='aB3dE6gH9jK2mN5'", "credentials='<token>'"),
        ("to\N{KELVIN SIGN}en='aB3dE6gH9jK2mN5'", "to\N{KELVIN SIGN}en='<token>'"),
        ("PassPhrase: 'four words of mine'", "PassPhrase: '<password>'"),
        ("→ passwd=hunter22", "→ passwd=<password>"),
        ("İ password='hunter22'", "İ password='<password>'"),
        ("passage='of some length 12'", "passage='of some length 12'"),
    ],
)
def test_telling_words_are_read_in_any_case_and_script(text: str, cleaned: str) -> None:
    assert without_credentials(text) == cleaned
