"""No credential survives, nothing else goes."""

from __future__ import annotations

import json
import re
import shlex
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.redact.credentials import without_credentials

RANDOM = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7"
KEY_LINES = "\n".join("Ab1/" * 16 for _ in range(6))
FORMS = {
    "github": f"ghp_{RANDOM}{RANDOM[:9]}",
    "aws": "AKIAQ3EGRWXN7TZ4PLMB",
    "openai": f"sk-proj-{RANDOM}",
    "anthropic": f"sk-ant-api03-{RANDOM}",
    "slack": f"xoxb-123456789012-{RANDOM}",
    "google": "AIza" + "Sy1" * 11 + "ab",
    "stripe": f"sk_live_{RANDOM}",
    "sendgrid": f"SG.{RANDOM[:20]}.{RANDOM}",
    "jwt": f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{RANDOM}",
    "gitlab": f"glpat-{RANDOM[:20]}",
    "npm": f"npm_{RANDOM}{RANDOM[:9]}",
    "private key": f"-----BEGIN RSA PRIVATE KEY-----\n{KEY_LINES}\n-----END RSA PRIVATE KEY-----",
}
PLACES = (
    "{}",
    "export KEY='{}'",
    '{{"content": "it is {} they said"}}',
    "curl -H 'X-Thing: {}' https://api.example.com",
    "see:\n    {}\nand go on",
    "value={},next=1",
)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", FORMS)
def test_a_known_form_is_found_wherever_it_stands(form: str, place: str) -> None:
    before, after = place.format("\0").split("\0")
    cleaned = without_credentials(f"{before}{FORMS[form]}{after}")
    assert re.fullmatch(f"{re.escape(before)}<[a-z_]+>{re.escape(after)}", cleaned)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("DB_PASSWORD=hunter", "DB_PASSWORD=<password>"),
        ("  password: correcthorse\n", "  password: <password>\n"),
        ('{"apiKey": "abcdefgh12"}', '{"apiKey": "<secret>"}'),
        ('"{\\"password\\": \\"hunter22\\"}"', '"{\\"password\\": \\"<password>\\"}"'),
        ("postgres://ann:s3cr3t@db/x", "postgres://ann:<password>@db/x"),
        ("https://u:p@ss@host/x", "https://u:<password>@host/x"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic <token>"),
        ("curl -u ann:secret1 https://x", "curl -u ann:<password> https://x"),
        ("mysql -uroot -phunter2 db", "mysql -uroot -p<password> db"),
        ("Server=x;Password=Passw0rd!;Encrypt=1", "Server=x;Password=<password>;Encrypt=1"),
        ("Cookie: sid=abcdef123456; theme=dark", "Cookie: sid=<cookie>; theme=dark"),
        ("machine h login u password hunter2", "machine h login u password <password>"),
        ("deploy --password hunter2 --dry", "deploy --password <password> --dry"),
        ("GET /x?access_token=abc123DEF456ghi&a=1", "GET /x?access_token=<token>&a=1"),
        ("os.environ['PASSWORD'] = 'a b c d'", "os.environ['PASSWORD'] = '<password>'"),
    ],
)
def test_the_name_gives_a_credential_away(text: str, cleaned: str) -> None:
    assert without_credentials(text) == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
        "password = get_password()",
        "def login(user: str, password: str) -> None: ...",
        "token = tokens[0]",
        '{"max_tokens": 4000, "total_tokens": 123456}',
        "api_key = os.environ['API_KEY']",
        "PASSWORD=$PASS and PASSWORD=${PASS}",
        "password: <your password>",
        "sorted(rows, key=lambda row: row.name)",
        "sk-circle-fade-dot-animation-keyframe",
        "secretName: my-secret-name",
        'integrity="sha512-9s+UaX8dQ5mEK5JQ=="',
        "http://localhost:8080/a@b",
        "token = secrets.token_hex(16)",
        "the password is in the vault, ask for the token",
        "-----BEGIN PRIVATE KEY----- is how such a file begins",
    ],
)
def test_what_is_no_credential_stays(text: str) -> None:
    assert without_credentials(text) == text


def test_a_key_whose_end_was_cut_off_goes_too() -> None:
    text = f"-----BEGIN OPENSSH PRIVATE KEY-----\n{KEY_LINES}\n[cut]"
    assert without_credentials(text) == "<private_key>\n[cut]"


def test_json_and_shell_stay_what_they_are() -> None:
    log = {"cmd": f"export A_TOKEN='{RANDOM}' && curl -u a:b1c2 x", "key": FORMS["private key"]}
    cleaned = json.loads(without_credentials(json.dumps(log)))
    assert cleaned.keys() == log.keys()
    assert len(shlex.split(cleaned["cmd"])) == len(shlex.split(log["cmd"]))


words = st.text(
    string.ascii_letters + string.digits + " \n\t=:;,.\"'<>{}[]()/\\@$-_&?%é", max_size=60
)
cues = st.sampled_from(
    [
        "password=",
        '"token": "',
        "secret: ",
        "https://a:",
        "@h",
        "Bearer ",
        "Cookie: a=",
        "API_KEY='",
    ]
)


@given(st.lists(st.one_of(words, cues, st.sampled_from(sorted(FORMS.values())))).map("".join))
def test_twice_is_the_same_as_once(text: str) -> None:
    once = without_credentials(text)
    assert without_credentials(once) == once


@given(words, words, st.sampled_from(sorted(FORMS)))
def test_no_planted_credential_survives(before: str, after: str, form: str) -> None:
    assert FORMS[form] not in without_credentials(f"{before} {FORMS[form]} {after}")
