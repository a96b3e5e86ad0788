"""The agent's loop: ask the model, do what it calls for, ask again, until there is an answer.

Everything is on disk before the next thing happens: a call before its tool runs, its answer before
the model sees it. A run ends by an answer, by a limit, by a model that fails, or by a person; each
end is told as what it is, and leaves a conversation that can go on.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from hermes.agent.asking import Asked, Call, ask
from hermes.agent.coaching import Coaching
from hermes.agent.conversation import Conversation
from hermes.agent.interrupts import Interrupts
from hermes.agent.tool import Toolbox
from hermes.agent.watching import Watch
from hermes.errors import BudgetSpent, HermesError, InvalidAnswer
from hermes.ports.execution import Brief, Listener, Recorder
from hermes.records.tool_answer import ToolAnswer
from hermes.records.turn import Answer, Spent, TurnEnd
from hermes.rules.recording import call_line, shortened
from hermes.rules.short_form import form_for

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model

_WINDOW = 100_000  # tokens, where nobody knows what the model holds
_SAME_CALL = 5  # the same call with the same answer so often is a loop
_AGAIN = "\n[The same call had the same outcome before. Do something else, or answer.]"
_NOTHING_SAID = "You answered nothing. Say what you found, or call a tool."


class Guard(Protocol):
    """Counts what a turn spends; `check` raises BudgetSpent where it may not go on."""

    @property
    def spent(self) -> Spent: ...
    def check(self) -> None: ...
    def took(self, response: ModelResponse, asked: Sequence[ModelMessage]) -> Spent:
        """Count an answer; what it cost by itself."""
        ...


class Worker:
    """Satisfies ports.Agent: one agent in one session."""

    def __init__(
        self,
        model: Model,
        tools: Callable[[], Toolbox],
        guard: Callable[[], Guard],
        *,
        watch: Watch | None = None,
        conversation: Conversation | None = None,
        interrupts: Interrupts | None = None,
        coaching: Coaching | None = None,
    ) -> None:
        self._model = model
        self._tools = tools
        self._guard = guard
        self._watch = watch
        self._conversation = conversation or Conversation()
        self._interrupts = interrupts or Interrupts()
        self._coaching = coaching or Coaching()
        self._runner = asyncio.Runner()

    @property
    def conversation(self) -> Conversation:
        return self._conversation

    @property
    def _window(self) -> int:
        return self._model.context_window or _WINDOW

    def close(self) -> None:
        self._runner.close()

    def work(self, brief: Brief, recorder: Recorder, listener: Listener) -> Answer:
        """Work on one request; whatever happens is in the answer."""
        turn = _Turn(recorder, listener, self._tools(), self._guard())
        self._conversation.asked(brief.prompt)
        try:
            return self._rounds(brief, turn)
        except KeyboardInterrupt:
            return self._broken(turn, TurnEnd.INTERRUPTED, "interrupted by the user")
        except BudgetSpent as limit:
            return self._broken(turn, TurnEnd.STOPPED, str(limit))
        except HermesError as error:
            return replace(self._broken(turn, TurnEnd.FAILED, str(error)), code=error.code)
        except BaseException:
            self._broken(turn, TurnEnd.FAILED, "broken off by an error")
            raise

    def _rounds(self, brief: Brief, turn: _Turn) -> Answer:
        nudged = doubted = False
        while True:
            turn.guard.check()
            asked = self._ask(brief, turn)
            turn.heard(asked)
            if asked.calls or asked.text.strip():  # some providers refuse to be sent an empty one
                self._conversation.said(asked.response)
            if asked.calls:
                turn.iterations += 1
                self._do(asked.calls, turn)
            elif asked.text.strip():
                if not doubted and (doubt := self._coaching.doubt(brief.prompt)):
                    doubted = True
                    turn.recorder.message("runtime", doubt)
                    self._conversation.asked(doubt)
                    continue
                return Answer(
                    end=TurnEnd.ANSWERED,
                    text=asked.text,
                    iterations=turn.iterations,
                    spent=turn.guard.spent,
                )
            elif nudged:
                raise InvalidAnswer("the model answered nothing, twice", hint="try another model")
            else:
                nudged = True
                self._conversation.asked(_NOTHING_SAID)

    def _ask(self, brief: Brief, turn: _Turn) -> Asked:
        tools = self._coaching.offers(list(turn.box.tools.values()), turn.iterations)
        example = self._coaching.example([tool.name for tool in tools])
        messages = [*example, *self._conversation.fitting(self._window * 3 // 4)]
        asking = ask(self._model, messages, brief.instructions(), tools, turn.listener, turn.said)
        try:
            with self._interrupts.heard():
                asked = self._runner.run(asking)
            turn.said.clear()
            return asked
        finally:
            asking.close()  # it was never begun where an interrupt had come before

    def _do(self, calls: Sequence[Call], turn: _Turn) -> None:
        shown = form_for(self._model.context_window).answer_chars
        turn.answers.clear()
        for call in calls:
            answer = self._call(call, turn)
            text, _ = shortened(answer.text, shown)
            times = turn.times(call, answer)
            again = _AGAIN if times > 1 else ""
            turn.answers[call.id] = (call.tool, (text or "(no output)") + again)
            turn.listener.called(call.tool, answer)
            if times >= _SAME_CALL:
                raise BudgetSpent(
                    f"the model called {call.tool} {times} times with the same outcome"
                )
        self._conversation.answered(turn.answers)
        turn.answers.clear()

    def _call(self, call: Call, turn: _Turn) -> ToolAnswer:
        """One call, written down before it is made and again when it has its answer."""
        tool = turn.box.get(call.tool)
        watched = self._watch if tool is not None and tool.touches and not call.fault else None
        before = watched.named(call.arguments) if watched else []
        turn.recorder.called(call.id, call.tool, call.arguments, before)
        turn.listener.calling(call.tool, call_line(call.tool, call.arguments))
        if call.fault:
            answer = ToolAnswer(text=call.fault, failed=True)
        else:
            answer = turn.box.call(call.tool, call.arguments)
        if watched:
            written = tuple(watched.changed(call.arguments))
            answer = replace(answer, artefacts=(*answer.artefacts, *written))
        turn.recorder.answered(call.id, call.tool, answer)
        return answer

    def _broken(self, turn: _Turn, end: TurnEnd, reason: str) -> Answer:
        """What a person has read already stays in the record, marked as no answer."""
        said = "".join(turn.said)
        self._conversation.break_off(turn.answers, reason, said)
        if said.strip():
            turn.recorder.message("assistant", said, interrupted=True)
        return Answer(
            end=end, text="", reason=reason, iterations=turn.iterations, spent=turn.guard.spent
        )


class _Turn:
    """What one turn has come to so far."""

    def __init__(self, recorder: Recorder, listener: Listener, box: Toolbox, guard: Guard) -> None:
        self.recorder = recorder
        self.listener = listener
        self.box = box
        self.guard = guard
        self.iterations = 0
        self.said: list[str] = []
        self.answers: dict[str, tuple[str, str]] = {}
        self._seen: Counter[str] = Counter()

    def heard(self, asked: Asked) -> None:
        """Write down what the model said, before anything is done about it."""
        self.recorder.spent(self.guard.took(asked.response, asked.sent))
        if asked.thoughts:
            self.recorder.thought(asked.thoughts)
        if asked.text.strip():
            self.recorder.message("assistant", asked.text)

    def times(self, call: Call, answer: ToolAnswer) -> int:
        """How often this call had this outcome by now."""
        key = json.dumps([call.tool, call.arguments, answer.text], default=str, sort_keys=True)
        self._seen[key] += 1
        return self._seen[key]
