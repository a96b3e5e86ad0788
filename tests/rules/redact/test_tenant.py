"""One tenant's data becomes placeholders, and comes back from them."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.redact.tenant import Redactor

PLANTED = (
    "ann.lee@acme.co",
    "/home/ann/notes/a.txt",
    "/Users/zoe/f.csv",
    "https://jira.acme.corp:8080/x",
    "10.1.2.3",
    "DE89370400440532013000",
    "5500005555555559",
    "+49 170 1234567",
    "(415) 555-0132",
    "C:\\Users\\ann\\x.txt",
    "build.internal",
)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("mail ann@acme.co, bob@acme.co, ann@acme.co", "mail <email_1>, <email_2>, <email_1>"),
        ("Author: Ann Lee <ann@acme.co>", "Author: <name_1> <<email_1>>"),
        ("git config user.name 'Ann Lee'", "git config user.name '<name_1>'"),
        ("cat /home/ann/a.csv /home/ann/b.csv", "cat <path_1> <path_2>"),
        ("open /reports/2024/q1.pdf", "open <path_1>"),
        ("GET https://jira.acme.corp:8080/x", "GET https://<host_1>:8080/x"),
        ("ping 10.1.2.3", "ping <host_1>"),
        ("account number: 12345678", "account number: <account_1>"),
        ("pay DE89370400440532013000", "pay <account_1>"),
        ("card 5500 0055 5555 5559", "card <card_1>"),
        ("arn:aws:iam::123456789012:role/x", "arn:aws:iam::<account_1>:role/x"),
        ("PASSWORD=hunter2 ann@acme.co", "PASSWORD=<password> <email_1>"),
    ],
)
def test_what_belongs_to_one_tenant_gets_a_placeholder(text: str, redacted: str) -> None:
    assert Redactor().text(text) == redacted


@pytest.mark.parametrize(
    "text",
    [
        "python run.py data/jan.csv --rows 4096 --date 2024-01-02",
        "pip install -i https://pypi.org/simple pandas==2.1.3",
        "curl http://localhost:8080/health and 127.0.0.1",
        "ls /usr/bin /etc/hosts /tmp/a.csv 2>/dev/null",
        "GET /api/v1/users and sed s/foo/bar/",
        "git clone git@github.com:org/repo.git",
        "order 1234567890123456 took 123456 ms",
        "npm install @types/node a@1.2.3",
    ],
)
def test_ordinary_work_stays(text: str) -> None:
    assert Redactor().text(text) == text


def test_the_workspace_is_here() -> None:
    redactor = Redactor("/home/ann/proj")
    text = "cd /home/ann/proj && head /home/ann/proj/data/jan.csv > /home/ann/out.csv"
    assert redactor.text(text) == "head data/jan.csv > <path_1>"
    assert redactor.text("ls /home/ann/proj") == "ls ."
    assert redactor.text("ls /home/ann/project2/x") == "ls <path_2>"


def test_a_name_met_once_is_known_from_then_on() -> None:
    redactor = Redactor()
    redactor.text("Signed-off-by: Ann Lee <ann@acme.co>")
    assert redactor.text("thanks to Ann Lee!") == "thanks to <name_1>!"


def test_the_mapping_has_every_value_and_no_credential() -> None:
    redactor = Redactor()
    redactor.text("API_TOKEN=ab12cd34ef56gh78 for ann@acme.co at 10.1.2.3")
    assert redactor.mapping == {"<email_1>": "ann@acme.co", "<host_1>": "10.1.2.3"}


def test_json_stays_json() -> None:
    log = {"command": "cat C:\\Users\\ann\\x.txt '/home/ann/a b.csv'", "who": "Ann Lee <a@b.co>"}
    redacted = json.loads(Redactor().text(json.dumps(log)))
    assert redacted.keys() == log.keys()
    assert "ann" not in json.dumps(redacted)


texts = st.lists(
    st.one_of(
        st.text(string.ascii_letters + string.digits + " \n=:;,.\"'(){}/\\@-_+é", max_size=30),
        st.sampled_from(PLANTED).map(lambda value: f" {value} "),
    )
).map("".join)


@given(st.lists(texts, max_size=4))
def test_everything_comes_back(parts: list[str]) -> None:
    redactor = Redactor()
    for part in parts:
        assert redactor.restore(redactor.text(part)) == part


@given(texts)
def test_twice_is_the_same_as_once(text: str) -> None:
    redactor = Redactor()
    once = redactor.text(text)
    assert redactor.text(once) == once


@given(texts, st.sampled_from(PLANTED))
def test_nothing_planted_survives(text: str, planted: str) -> None:
    assert planted not in Redactor().text(f"{text} {planted} {text}")
