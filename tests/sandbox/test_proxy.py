"""A granted host is reached, and nothing else, by whatever way the program tries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hermes.errors import Refused
from hermes.records.sandbox import (
    NetworkGrant,
    SandboxPolicy,
    SandboxResult,
    ViolationKind,
    Witness,
)
from hermes.sandbox.bubblewrap import Bubblewrap
from hermes.sandbox.docker import Docker
from hermes.sandbox.proxy import Doorman
from hermes.testing.http_thread import HttpThread


class Hello(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = f"hello {self.path}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@contextmanager
def server() -> Iterator[int]:
    with HttpThread(ThreadingHTTPServer(("127.0.0.1", 0), Hello)) as serving:
        yield serving.port


@pytest.fixture
def granted() -> Iterator[int]:
    with server() as port:
        yield port


@pytest.fixture
def other() -> Iterator[int]:
    with server() as port:
        yield port


def fetch(bubblewrap: Bubblewrap, folder: Path, granted: int, code: str) -> SandboxResult:
    grant = NetworkGrant(hosts=(f"127.0.0.1:{granted}",), approved_by="ada")
    policy = SandboxPolicy.workspace(project=str(folder), network=grant)
    return bubblewrap.run(["python", "-c", code], policy)


def test_a_granted_host_answers(bubblewrap: Bubblewrap, tmp_path: Path, granted: int) -> None:
    code = (
        "import urllib.request as r\n"
        f"print(r.urlopen('http://127.0.0.1:{granted}/a?b=c').read().decode())"
    )
    result = fetch(bubblewrap, tmp_path, granted, code)
    assert result.stdout == b"hello /a?b=c\n", result.stderr
    assert result.violations == ()


def test_a_skill_that_is_run_reaches_what_it_was_granted(
    bubblewrap: Bubblewrap, granted: int
) -> None:
    grant = NetworkGrant(hosts=(f"127.0.0.1:{granted}",), approved_by="ada")
    code = f"import urllib.request as r\nprint(r.urlopen('http://127.0.0.1:{granted}/').read())"
    answers = []
    for network in (grant, None):
        with bubblewrap.scratch() as place:
            policy = SandboxPolicy.running(skills=place.skills, data=place.data, network=network)
            answers.append(bubblewrap.run(["python", "-c", code], policy))
    assert answers[0].stdout == b"b'hello /'\n", answers[0].stderr
    assert answers[1].exit_code == 1
    assert [one.subject for one in answers[1].violations] == ["socket(AF_INET)"]


def test_a_tunnel_to_it_works(bubblewrap: Bubblewrap, tmp_path: Path, granted: int) -> None:
    code = (
        "import http.client\n"
        "c = http.client.HTTPConnection('127.0.0.1', 3128)\n"
        f"c.set_tunnel('127.0.0.1', {granted})\n"
        "c.request('GET', '/through')\n"
        "print(c.getresponse().read().decode())"
    )
    assert fetch(bubblewrap, tmp_path, granted, code).stdout == b"hello /through\n"


def test_another_host_is_refused_and_named(
    bubblewrap: Bubblewrap, tmp_path: Path, granted: int, other: int
) -> None:
    code = (
        "import urllib.request as r\n"
        f"for url in ('http://127.0.0.1:{other}/', 'https://example.com/'):\n"
        "  try: r.urlopen(url)\n"
        "  except OSError as error: print(error)\n"
    )
    result = fetch(bubblewrap, tmp_path, granted, code)
    assert result.stdout.count(b"403") == 2
    told = {(one.kind, one.subject, one.witness) for one in result.violations}
    assert told == {
        (ViolationKind.NETWORK, f"127.0.0.1:{other}", Witness.PROXY),
        (ViolationKind.NETWORK, "example.com:443", Witness.PROXY),
    }


def test_there_is_no_way_around_the_proxy(
    bubblewrap: Bubblewrap, tmp_path: Path, granted: int
) -> None:
    code = (
        "import socket\n"
        f"for where in (('127.0.0.1', {granted}), ('8.8.8.8', 53), ('::1', {granted})):\n"
        "  try: socket.create_connection(where, 2)\n"
        "  except OSError: print('no')\n"
        "try: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)\n"
        "except OSError: print('no')\n"
    )
    assert fetch(bubblewrap, tmp_path, granted, code).stdout == b"no\n" * 4


def test_nonsense_harms_nobody(bubblewrap: Bubblewrap, tmp_path: Path, granted: int) -> None:
    code = (
        "import socket\n"
        "for text in ('', 'CONNECT', 'x' * 100000, 'GET / HTTP/1.1', 'CONNECT 1:999999 H'):\n"
        "  with socket.create_connection(('127.0.0.1', 3128), 2) as c:\n"
        "    c.sendall(text.encode() + b'\\r\\n\\r\\n'); c.shutdown(socket.SHUT_WR)\n"
        "import urllib.request as r\n"
        f"print(r.urlopen('http://127.0.0.1:{granted}/still').read().decode())"
    )
    assert fetch(bubblewrap, tmp_path, granted, code).stdout == b"hello /still\n"


@pytest.mark.parametrize(
    ("grant", "host", "port", "allowed"),
    [
        ("example.com", "example.com", 443, True),
        ("example.com", "EXAMPLE.com.", 80, True),
        ("example.com", "example.com", 8080, False),
        ("example.com", "sub.example.com", 443, False),
        ("example.com", "example.com.evil.net", 443, False),
        ("example.com", "notexample.com", 443, False),
        ("example.com:8443", "example.com", 8443, True),
        ("example.com:8443", "example.com", 443, False),
        ("[::1]:80", "::1", 80, True),
    ],
)
def test_what_a_grant_means(grant: str, host: str, port: int, allowed: bool) -> None:
    doorman = Doorman(NetworkGrant(hosts=(grant,), approved_by="ada"))
    assert doorman.allows(host, port) is allowed


@pytest.mark.soak
@pytest.mark.xdist_group("docker")
def test_docker_refuses_what_it_cannot_hold(docker: Docker, tmp_path: Path) -> None:
    grant = NetworkGrant(hosts=("example.com",), approved_by="ada")
    policy = SandboxPolicy.workspace(project=str(tmp_path), network=grant)
    with pytest.raises(Refused, match="cannot hold"):
        docker.run(["true"], policy)
