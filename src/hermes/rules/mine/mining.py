"""Examples of one pattern → the Procedure that they share. No model, no I/O; the same examples
give the same procedure in whatever order they come.

Reads: worked examples. Never: takes an instruction from what a tool printed or a file said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hermes.errors import WrongCall
from hermes.records.codec import Json
from hermes.records.procedure import Lesson, Procedure, ProcedureStep
from hermes.rules.mine.alignment import Column, align
from hermes.rules.mine.assembling import assembled
from hermes.rules.mine.deed import DeedKind, Done
from hermes.rules.mine.deeds import done_in
from hermes.rules.mine.fillings import Filling, Solved, Term, solve
from hermes.rules.mine.lessons import checks, guardrails, pitfalls, support_of
from hermes.rules.mine.needs import commands, dependencies, local_modules, own_programs
from hermes.rules.mine.other_sketches import CallSketch, WriteSketch
from hermes.rules.mine.parameters import clues_of, is_input, is_output, names_of, parameters_of
from hermes.rules.mine.python_sketch import PythonSketch
from hermes.rules.mine.shell_sketch import ShellSketch
from hermes.rules.mine.sketch import Sketch, Surroundings
from hermes.rules.mine.spelling import Names
from hermes.rules.mine.usage import OUTPUT, Role
from hermes.rules.mine.wording import (
    description_of,
    extension_of,
    intent_of,
    name_of,
    reads_badly,
    shared_cases,
    shared_words,
    triggers_of,
)
from hermes.rules.mine.worked import Worked
from hermes.rules.templates import bind as bind_template

MOST_EXAMPLES = 40
"""More say nothing new, and comparing each with each grows with the square."""

_LONGEST_ALTERNATIVE = 600
_MOSTLY = 0.75  # of the inputs are of one kind: enough for a name, not for a condition
_MOST_ALTERNATIVES = 3


@dataclass(frozen=True, slots=True)
class NotMined:
    """Why these examples have no procedure in common."""

    reason: str


@dataclass(slots=True)
class _Mining:
    """Everything that is known half-way."""

    examples: Sequence[Worked]
    done: Sequence[Done]
    sketches: Sequence[Sketch]
    solved: Solved
    names: Names
    around: Surroundings
    fillings: dict[int, list[Filling]] = field(default_factory=dict)

    def generalise(self, example: int, text: str) -> str:
        """An example's own text with its values replaced by the names of the parameters."""
        values = {
            str(place.values[example]): self.names.text(filling)
            for step, sketch in enumerate(self.sketches)
            for place, filling in zip(sketch.places, self.fillings[step], strict=True)
            if len(str(place.values.get(example, ""))) > 2
        }
        for value in sorted(values, key=len, reverse=True):
            text = text.replace(value, values[value])
        return text


def mine(examples: Sequence[Worked], others: Sequence[str] = ()) -> Procedure | NotMined:
    """`others` are requests of other patterns: what they speak of does not tell this one."""
    if not examples:
        return NotMined("there are no examples")
    examples = sorted(examples, key=lambda one: one.example_id)[:MOST_EXAMPLES]
    done = [done_in(worked) for worked in examples]
    if not any(one.deeds for one in done):
        return NotMined("no example has a step that leads to a result: they only look around")
    columns = _consensus(align([one.deeds for one in done]), len(examples))
    around = Surroundings(
        examples=len(examples),
        tasks={at: worked.task for at, worked in enumerate(examples)},
        made={at: one.written for at, one in enumerate(done)},
    )
    sketches = _sketches(columns, around)
    mining = _solved(examples, done, sketches, around)
    return _procedure(mining, others)


def _consensus(columns: Sequence[Column], examples: int) -> list[Column]:
    """What at least half of them did; else the steps of the one that is most like the others."""
    least = max(1, (examples + 1) // 2)
    kept = [column for column in columns if len(column) >= least]
    if kept:
        third = max(2, (examples + 2) // 3)
        return [column for column in columns if len(column) >= min(least, third)]
    supports: dict[int, int] = {}
    for column in columns:
        for key in column:
            supports[key] = supports.get(key, 0) + len(column)
    medoid = max(supports, key=lambda key: (supports[key], -key))
    return [column for column in columns if medoid in column]


def _sketches(columns: Sequence[Column], around: Surroundings) -> list[Sketch]:
    made: dict[int, set[str]] = {}
    sketches: list[Sketch] = []
    for step, column in enumerate(columns):
        deeds = {key: column[key] for key in sorted(column)}
        earlier = Surroundings(
            examples=around.examples,
            tasks=around.tasks,
            made={key: frozenset(names) for key, names in made.items()},
        )
        sketch = _sketch(deeds, step, earlier)
        sketches.append(sketch)
        for key, deed in deeds.items():
            names = around.made.get(key, frozenset())
            made.setdefault(key, set()).update(
                name for name in names if name in sketch.outputs(key) or name == deed.path
            )
    return sketches


def _sketch(deeds: Column, step: int, around: Surroundings) -> Sketch:
    match next(iter(deeds.values())).kind:
        case DeedKind.PYTHON:
            return PythonSketch(deeds, step, around)
        case DeedKind.SHELL:
            return ShellSketch(deeds, step, around)
        case DeedKind.WRITE:
            return WriteSketch(deeds, step, around)
        case DeedKind.CALL:
            return CallSketch(deeds, step, around)


def _solved(
    examples: Sequence[Worked],
    done: Sequence[Done],
    sketches: Sequence[Sketch],
    around: Surroundings,
) -> _Mining:
    places = [place for sketch in sketches for place in sketch.places]
    solved = solve(places)
    taken = {name for sketch in sketches for name in sketch.taken()}
    names = names_of(solved.bases, taken)
    mining = _Mining(examples, done, sketches, solved, names, around)
    at = 0
    for step, sketch in enumerate(sketches):
        mining.fillings[step] = solved.fillings[at : at + len(sketch.places)]
        at += len(sketch.places)
    return mining


def _procedure(mining: _Mining, others: Sequence[str]) -> Procedure:
    bases, names, examples = mining.solved.bases, mining.names, mining.examples
    values = [
        [str(base.values[at]) for base in bases if at in base.values] for at in range(len(examples))
    ]
    tasks = [worked.task for worked in examples]
    words = shared_words(tasks, values, others)
    inputs = [str(one) for base in bases if is_input(base) for one in base.values.values()]
    extension = extension_of(inputs)
    shared = shared_cases(tasks)
    intents = [intent_of(task, _spoken(mining, at), shared) for at, task in enumerate(tasks)]
    intents = sorted(
        intents, key=lambda text: (reads_badly(text), -intents.count(text), len(text), text)
    )
    tests = _test_values(mining)
    template, why_not = _template(mining, tests)
    deeds = [sketch.deeds[sketch.reference] for sketch in mining.sketches]
    return Procedure(
        name=name_of(words, tasks, extension_of(inputs, _MOSTLY), "-".join(_languages(mining))),
        description=description_of(intents[0], words),
        intent=intents[0],
        trigger_conditions=triggers_of(words, intents, extension),
        parameters=parameters_of(bases, names),
        test_parameters=tests,
        how_to_find=clues_of(bases, names, examples, mining.around),
        preconditions=_preconditions(mining),
        steps=tuple(_step(mining, step) for step in range(len(mining.sketches))),
        code_template=template,
        why_no_program=why_not,
        outputs=_outputs(mining),
        dependencies=dependencies(deeds, local_modules(examples)),
        success_criteria=_criteria(mining),
        pitfalls=pitfalls(examples, mining.generalise),
        guardrails=guardrails(examples, mining.generalise),
        example_ids=tuple(worked.example_id for worked in examples),
    )


def _languages(mining: _Mining) -> list[str]:
    return list(dict.fromkeys(sketch.language for sketch in mining.sketches if sketch.language))


def _spoken(mining: _Mining, example: int) -> Mapping[str, str]:
    """Values of an example, and the last parts of its paths, by the parameter's name."""
    spoken = {
        str(place.values[example]): OUTPUT.name
        for sketch in mining.sketches
        for place in sketch.places
        if place.usage.role is Role.OUTPUT and example in place.values
    }
    for at, base in enumerate(mining.solved.bases):
        value = base.values.get(example)
        if isinstance(value, str | int | float):
            spoken[str(value)] = mining.names.of[at]
            spoken.setdefault(str(value).rsplit("/", 1)[-1], mining.names.of[at])
    return spoken


def _test_values(mining: _Mining) -> dict[str, Json]:
    """The values of one example, so that they belong together."""
    reference = mining.sketches[0].reference
    return {
        mining.names.of[at]: base.values.get(reference, next(iter(base.values.values())))
        for at, base in enumerate(mining.solved.bases)
    }


def _template(mining: _Mining, tests: Mapping[str, Json]) -> tuple[str | None, str]:
    """The program, or why there is none."""
    least = (len(mining.examples) + 1) // 2
    steps = [
        step
        for step, sketch in enumerate(mining.sketches)
        if len(sketch.deeds) >= least or len(mining.sketches) == 1
    ] or list(range(len(mining.sketches)))
    for step in steps:
        sketch = mining.sketches[step]
        if sketch.why_not:
            title = sketch.title(mining.names, mining.fillings[step])
            return None, f"step {step + 1} ({title}) has no program: {sketch.why_not}"
    programs = [
        mining.sketches[step].program(mining.names, mining.fillings[step]) for step in steps
    ]
    fillings = [filling for step in steps for filling in mining.fillings[step]]
    template = assembled(mining.names, programs, fillings)
    try:
        bind_template(template, tests)
    except WrongCall as error:
        return None, f"the steps do not make one program: {error.message}"
    return template, ""


def _step(mining: _Mining, step: int) -> ProcedureStep:
    sketch, fillings = mining.sketches[step], mining.fillings[step]
    text = sketch.text(mining.names, fillings)
    followers = {key for one in mining.sketches for key in one.deeds}
    strangers = [key for key in sketch.deeds if key not in sketch.members]
    others = [mining.generalise(key, sketch.deeds[key].text.strip()) for key in strangers]
    if step == 0:
        others += [
            mining.generalise(key, "\n".join(deed.text.strip() for deed in one.deeds))
            for key, one in enumerate(mining.done)
            if key not in followers
        ]
    alternatives = dict.fromkeys(others)
    short = [text for text in alternatives if 0 < len(text) <= _LONGEST_ALTERNATIVE]
    return ProcedureStep(
        tool=sketch.deeds[sketch.reference].tool,
        title=sketch.title(mining.names, fillings),
        code=text,
        language=sketch.language,
        optional=bool(followers - sketch.deeds.keys()),
        alternatives=tuple(short[:_MOST_ALTERNATIVES]),
        support=support_of(
            {key: list(sketch.deeds[key].steps) for key in sketch.members}, mining.examples
        ),
    )


def _preconditions(mining: _Mining) -> tuple[Lesson, ...]:
    found = []
    for at, base in enumerate(mining.solved.bases):
        if is_input(base):
            sketch = mining.sketches[base.step]
            steps = {key: [sketch.deeds[key].steps[-1]] for key in sketch.members}
            text = f"The file `{{{mining.names.of[at]}}}` exists."
            found.append(Lesson(text=text, support=support_of(steps, mining.examples)))
    for text, steps in _programs_needed(mining.sketches).items():
        found.append(Lesson(text=text, support=support_of(steps, mining.examples)))
    return tuple(found)


def _programs_needed(sketches: Sequence[Sketch]) -> dict[str, dict[int, list[int]]]:
    """What is run, each told once, with the steps of every example that run it."""
    found: dict[str, dict[int, list[int]]] = {}
    for sketch in sketches:
        deeds = sketch.deeds
        texts = [f"The command `{name}` is installed." for name in commands(deeds.values())]
        texts += [f"The program `{path}` is there." for path in own_programs(deeds.values())]
        for text in texts:
            steps = found.setdefault(text, {})
            for key, deed in deeds.items():
                steps.setdefault(key, []).append(deed.steps[-1])
    return found


def _outputs(mining: _Mining) -> tuple[str, ...]:
    """Parameters and fixed paths of what is written; a made-up path as its text."""
    found: dict[str, None] = {}
    for at, base in enumerate(mining.solved.bases):
        if is_output(base):
            found[mining.names.of[at]] = None
    for step, sketch in enumerate(mining.sketches):
        for place, filling in zip(sketch.places, mining.fillings[step], strict=True):
            is_whole = len(filling) == 1 and isinstance(filling[0], Term)
            if place.usage.role is Role.OUTPUT and not is_whole:
                found[mining.names.text(filling)] = None
        fixed = sketch.outputs(sketch.reference) - {
            place.values.get(sketch.reference) for place in sketch.places
        }
        found.update(dict.fromkeys(sorted(map(str, fixed))))
    return tuple(found)


def _criteria(mining: _Mining) -> tuple[Lesson, ...]:
    known = {mining.names.of[at] for at in mining.names.of}
    found = []
    for output in _outputs(mining):
        shown = f"{{{output}}}" if output in known else output
        steps = {
            key: [sketch.deeds[key].steps[-1]]
            for sketch in mining.sketches
            for key in sketch.members
            if sketch.outputs(key)
        }
        text = f"`{shown}` exists and is not empty."
        found.append(Lesson(text=text, support=support_of(steps, mining.examples)))
    return (*found, *checks(mining.examples, mining.done, mining.generalise))
