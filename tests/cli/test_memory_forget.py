"""`hermes memory forget` and `approve`: decisions about what is remembered, and their trail."""

from __future__ import annotations

from pathlib import Path

from .conftest import Shell


def kept(shell: Shell, text: str, *words: str) -> str:
    return str(shell("memory", "add", text, *words, "--json").json["memory"]["id"])


def holding(root: Path, text: str) -> list[str]:
    files = [path for path in root.rglob("*") if path.is_file()]
    return [path.name for path in files if text.encode() in path.read_bytes()]


def test_what_is_forgotten_is_in_no_file_any_more(shell: Shell) -> None:
    secret = kept(shell, "the codeword of the vault is heliotrope")
    other = kept(shell, "the staging database listens on port 5433")
    shell("memory", "upkeep")
    assert holding(shell.root, "heliotrope")
    with shell.open() as elsewhere:  # a second process: the log of pages outlives the first
        elsewhere.database.ask("SELECT 1")
        told = shell("memory", "forget", secret, "--by", "ana")
        assert told.out.startswith("1 forgotten")
        assert holding(shell.root, "heliotrope") == []
    assert shell("memory", "show", secret).code == 1
    assert [one["id"] for one in shell("memory", "list", "--json").json["items"]] == [other]
    assert f"ana forgot {secret} (pipe)" in shell("events").out


def test_a_wrong_id_among_several_forgets_nothing(shell: Shell) -> None:
    first = kept(shell, "the staging database listens on port 5433")
    assert shell("memory", "forget", first, "mem_zzz", "--by", "ana").code == 1
    assert len(shell("memory", "list", "--json").json["items"]) == 1
    assert shell("memory", "forget", first, first[:-1], "--json").json == {"forgotten": 1}


def test_many_are_forgotten_by_source_only_when_it_is_meant(shell: Shell, tmp_path: Path) -> None:
    mine = kept(shell, "the staging database listens on port 5433")
    file = tmp_path / "notes.jsonl"
    file.write_text("".join(f'{{"text": "rack {n} holds {n * 7} drives"}}\n' for n in range(1, 6)))
    assert shell("memory", "import", str(file)).code == 0
    unsure = shell("memory", "forget", "--source", "import:notes.jsonl")
    assert unsure.code == 2
    assert "Forget 5 memories of personal" in unsure.err
    assert "pass --yes" in unsure.err
    sure = shell("memory", "forget", "--source", "import:notes.jsonl", "--yes", "--by", "ana")
    assert sure.out.startswith("5 forgotten")
    assert [one["id"] for one in shell("memory", "list", "--json").json["items"]] == [mine]
    assert "ana forgot 5 memories (pipe)" in shell("events").out


def test_many_are_forgotten_by_age(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text(
        '{"text": "the old office was in Lisbon", "created_at": "2020-01-01T00:00:00Z"}\n'
        '{"text": "the new office is in Porto"}\n'
    )
    shell("memory", "import", str(file))
    assert shell("memory", "forget", "--older-than", "52w", "--yes").out.startswith("1 forgotten")
    (left,) = shell("memory", "list", "--json").json["items"]
    assert "Porto" in left["text"]
    assert shell("memory", "forget", "--older-than", "52w").out == "nothing was forgotten\n"


def test_forgetting_says_what_it_wants_to_know(shell: Shell) -> None:
    assert shell("memory", "forget").code == 2
    assert shell("memory", "forget", "mem_1", "--older-than", "9d").code == 2
    assert shell("memory", "forget", "mem_1", "--by", "policy:trust").code == 1


def test_an_approved_memory_is_recalled_and_the_trail_says_who_allowed_it(
    shell: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text('{"text": "Always run the linter before a commit"}\n')
    told = shell("memory", "import", str(file))
    assert "1 read as instructions" in told.err
    (waiting,) = shell("memory", "list", "--waiting", "--json").json["items"]
    assert "waits for approval" in shell("memory", "show", waiting["id"]).out
    assert shell("memory", "approve", waiting["id"]).code == 2
    approved = shell("memory", "approve", waiting["id"][:-2], "--by", "ana", "--json").json
    assert (approved["waiting"], approved["approved_by"]) == (False, "ana")
    assert "ana approved mem_" in shell("events").out
    assert "(pipe)" in shell("events").out
    again = shell("memory", "approve", waiting["id"], "--by", "ana")
    assert again.code == 1
    assert "does not wait" in again.err
