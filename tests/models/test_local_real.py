"""The default model file, where it is here: a task of three tools, and its own HTTP server.

HERMES_TEST_MODEL names the file; else the models folder of the home is looked at. It is slow, and
slower still on a busy machine, so nothing here says how long it may take.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from pydantic_ai import Agent, AgentRunResult, UsageLimits
from pydantic_ai.messages import ModelResponse

from hermes.errors import ContextTooLong
from hermes.models.access import ModelAccess
from hermes.models.factory import build
from hermes.models.known import DEFAULT
from hermes.models.local.engine import LlamaEngine, shared_engine
from hermes.models.local.model import LocalModel
from hermes.models.local.prompt import RAW
from hermes.testing.model_file import NEEDS_MODEL_FILE, model_file

CONTEXT = 2048
DATA = "id,amount\n1,50\n2,150\n3,101\n4,100\n5,300\n"


pytestmark = NEEDS_MODEL_FILE


@pytest.fixture
def engine() -> LlamaEngine:
    """The one of this process: it takes a while to load."""
    pytest.importorskip("xllamacpp")
    file = model_file()
    return shared_engine(file, context_tokens=CONTEXT)


def agent_in(folder: Path, engine: LlamaEngine) -> Agent[None, str]:
    agent = Agent(LocalModel(DEFAULT.name, engine))

    @agent.tool_plain
    def read_file(path: str) -> str:
        """Returns the text of a file."""
        return (folder / path).read_text()

    @agent.tool_plain
    def count_rows(path: str, column: str, above: float) -> int:
        """Counts the rows of a CSV file whose number in a column is above a number."""
        head, *rows = (line.split(",") for line in (folder / path).read_text().split())
        return sum(float(row[head.index(column)]) > above for row in rows)

    @agent.tool_plain
    def write_file(path: str, text: str) -> str:
        """Writes a text to a file."""
        (folder / path).write_text(text)
        return f"{path} is written"

    return agent


def test_a_task_of_three_tools(tmp_path: Path, engine: LlamaEngine) -> None:
    (tmp_path / "data.csv").write_text(DATA)
    result = agent_in(tmp_path, engine).run_sync(
        "how many lines of data.csv have amount > 100? write the answer to out.txt",
        usage_limits=UsageLimits(request_limit=8),
    )
    assert "3" in (tmp_path / "out.txt").read_text()
    turns = [one.usage for one in result.all_messages() if isinstance(one, ModelResponse)]
    print([(turn.input_tokens, turn.cache_read_tokens, turn.output_tokens) for turn in turns])
    first, *later = turns
    assert {"thought"} == {next(iter(json.loads(raw))) for raw in generated(result)}
    assert not any("\n" in raw for raw in generated(result))  # the grammar held
    assert first.output_tokens > 0
    for before, after in zip(turns, later, strict=False):
        # All of the prompt before, and what was generated then, is not read again.
        assert after.cache_read_tokens >= before.input_tokens


def generated(result: AgentRunResult[str]) -> list[str]:
    responses = (one for one in result.all_messages() if isinstance(one, ModelResponse))
    return [str((one.provider_details or {})[RAW]) for one in responses]


def test_too_long_for_its_context(engine: LlamaEngine) -> None:
    with pytest.raises(ContextTooLong, match=f"reads {CONTEXT}"):
        Agent(LocalModel(DEFAULT.name, engine)).run_sync("word " * (CONTEXT + 100))


def test_cancelled_while_it_reads(engine: LlamaEngine) -> None:
    """The next question is answered, so the one that was given up does not hold the engine."""
    agent = Agent(LocalModel(DEFAULT.name, engine), model_settings={"max_tokens": 4})

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await agent.run("word " * (CONTEXT // 2))

    asyncio.run(give_up())
    assert agent.run_sync("Say yes.").output


def test_its_own_server_is_one_like_any_other(tmp_path: Path) -> None:
    """llama.cpp's server speaks OpenAI's format to us over HTTP, streams included."""
    xllamacpp = pytest.importorskip("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_file())
    parameters.n_ctx, parameters.n_parallel = 512, 1
    parameters.warmup, parameters.verbosity = False, -1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    access = ModelAccess(models_dir=tmp_path, answer_timeout_s=600)
    model = build(f"openai:any@{server.listening_address}/v1", access)
    agent = Agent(model, model_settings={"max_tokens": 8, "temperature": 0})

    async def listen() -> str:
        async with agent.run_stream("Say hello.") as run:
            return await run.get_output()

    assert asyncio.run(listen())

    async def ask_too_much() -> None:
        with pytest.raises(ContextTooLong):
            await agent.run("word " * 1000)

    asyncio.run(ask_too_much())


def test_streamed_words_come_before_the_end(engine: LlamaEngine) -> None:
    pieces: list[str] = []

    async def listen() -> None:
        model = LocalModel(DEFAULT.name, engine)
        async with Agent(model).run_stream("Count from 1 to 5.") as run:
            async for piece in run.stream_text(delta=True, debounce_by=None):
                pieces.append(piece)

    asyncio.run(listen())
    assert len(pieces) > 3
    assert "5" in "".join(pieces)
