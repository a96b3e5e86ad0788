"""Requests of web pages, broken ones, huge ones: each gets a clear answer, and nothing is kept."""

from __future__ import annotations

import json
import socket
import time

import pytest

from hermes.testing.served import API, Served
from hermes.web.address import is_loopback_header, loopback_address

from .conftest import is_problem

pytestmark = pytest.mark.xdist_group("served")
HEALTH = f"{API}/healthz"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example:8080"},
        {"Host": "localhost@evil.example"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:3000"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_other_sites_are_refused(server: Served, headers: dict[str, str]) -> None:
    assert is_problem(server.ask("GET", HEALTH, headers=headers), 403)
    body = json.dumps({"text": "the moat is filled with lemonade"}).encode()
    headers = {"Content-Type": "application/json", **headers}
    assert is_problem(server.ask("POST", f"{API}/memory", body, headers), 403)
    assert server.found("moat lemonade", kind="semantic") == []


def test_a_page_of_our_own_is_let_in(server: Served) -> None:
    own = {"Origin": f"http://127.0.0.1:{server.port}", "Sec-Fetch-Site": "same-origin"}
    reply = server.ask("GET", HEALTH, headers=own)
    assert reply.status == 200
    assert not [name for name in reply.headers if name.startswith("access-control")]
    forwarded = {"Host": "localhost:9999"}
    assert server.ask("GET", HEALTH, headers=forwarded).status == 200


def test_a_page_may_not_even_ask_what_it_may(server: Served) -> None:
    asking = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    assert is_problem(server.ask("OPTIONS", f"{API}/memory", headers=asking), 403)
    assert is_problem(server.ask("OPTIONS", f"{API}/memory"), 405)


@pytest.mark.parametrize(
    "kind",
    ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"],
)
def test_a_body_must_say_that_it_is_json(server: Served, kind: str) -> None:
    assert is_problem(server.post(b'{"text": "the moat is deep"}', kind), 415)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"{", 400),
        (b'{"text": "caf\xe9 opens at nine"}', 400),
        (b"[" * 100_000, 400),
        (b"null", 422),
        (b"[]", 422),
        (b'"text"', 422),
        (b"{}", 422),
        (b'{"text": null}', 422),
        (b'{"text": 7}', 422),
        (b'{"text": ["a"]}', 422),
        (b'{"text": "the moat is deep", "kind": "other"}', 422),
        (b'{"text": "the moat is deep", "scope": 3}', 422),
        (b'{"text": "the moat is deep", "trust": "user"}', 422),
        (b'{"text": "the moat is deep", "\\ud800": 1}', 422),
        (b'{"text": NaN}', 422),
    ],
)
def test_what_is_no_memory_is_told(server: Served, body: bytes, status: int) -> None:
    assert is_problem(server.post(body), status)


def test_null_bytes_and_halves_of_characters_are_left_out(server: Served) -> None:
    reply = server.post(
        rb'{"text": "the \u0000lighthouse\ud800 keeper is called \ud83d\ude00 Ada"}'
    )
    assert reply.status == 201
    assert reply.json["memory"]["text"] == "the lighthouse keeper is called 😀 Ada"
    assert server.found("\0 lighthouse keeper\0")[0] == reply.json["memory"]["text"]
    assert server.search("\ufffe \U0010ffff").status == 200


def test_a_body_of_ten_megabytes_is_refused(server: Served) -> None:
    body = json.dumps({"text": "m" * 10_000_000}).encode()
    assert is_problem(server.post(body), 413)
    reply = server.ask(
        "POST",
        f"{API}/memory",
        iter([body[at : at + 65_536] for at in range(0, len(body), 65_536)]),  # type: ignore[arg-type]
        {"Content-Type": "application/json"},
    )
    assert is_problem(reply, 413)


def _raw(server: Served, request: bytes) -> bytes:
    """What comes back to bytes that no client would send."""
    with socket.create_connection((server.host, server.port), timeout=30) as connection:
        connection.sendall(request)
        connection.settimeout(30)
        received = b""
        while b"\r\n\r\n" not in received and (piece := connection.recv(65_536)):
            received += piece
        return received


def test_who_only_announces_a_large_body_need_not_send_it(server: Served) -> None:
    head = "POST /api/v1/memory HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    began = time.monotonic()
    asked = _raw(server, f"{head}Content-Length: 5000000\r\nExpect: 100-continue\r\n\r\n".encode())
    assert asked.startswith(b"HTTP/1.1 413 ")
    told = _raw(server, f"{head}Content-Length: 99999999999\r\n\r\n".encode())
    assert told.startswith(b"HTTP/1.1 413 ")
    assert time.monotonic() - began < 25  # neither waited for a body that never comes


def test_what_is_no_http_at_all_ends_nothing(server: Served) -> None:
    for request in (
        b"\0\xff\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET " + b"/" * 100_000 + b"\r\n\r\n",
    ):
        assert b" 4" in _raw(server, request)[:13]
    with socket.create_connection((server.host, server.port)) as connection:
        connection.sendall(b"POST /api/v1/memory HTTP/1.1\r\nHost: localhost\r\n")  # and hangs up
    assert server.ask("GET", HEALTH).status == 200


def test_no_such_path_and_no_such_method(server: Served) -> None:
    assert is_problem(server.ask("GET", "/nothing/here"), 404)
    assert is_problem(server.ask("GET", f"{API}/memory/"), 404)
    reply = server.ask("DELETE", f"{API}/memory")
    assert is_problem(reply, 405)
    assert reply.headers["allow"] == "POST"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("localhost", "127.0.0.1"),
        ("LocalHost", "127.0.0.1"),
        ("127.8.0.1", "127.8.0.1"),
        ("::1", "::1"),
        ("[::1]", "::1"),
        ("0.0.0.0", None),
        ("::", None),
        ("10.0.0.1", None),
        ("127.1", None),
        ("2130706433", None),
        ("::ffff:10.0.0.1", None),
        ("example.com", None),
        ("", None),
    ],
)
def test_which_addresses_are_this_machines_own(host: str, address: str | None) -> None:
    assert loopback_address(host) == address


@pytest.mark.parametrize(
    ("header", "own"),
    [
        ("localhost", True),
        ("localhost:80", True),
        ("127.0.0.1:8080", True),
        ("[::1]", True),
        ("[::1]:8080", True),
        ("localhost:", False),
        ("localhost:80:90", False),
        ("localhost:8o", False),
        ("evil.example:127", False),
    ],
)
def test_which_hosts_are_this_machine(header: str, own: bool) -> None:
    assert is_loopback_header(header) is own
