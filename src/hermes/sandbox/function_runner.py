"""Calls the tests that a Python file defines and does not call itself.

This file is not imported by anybody: its text is handed to a Python in the sandbox, which has
neither this package nor pytest. Plain functions and unittest's classes are called; what only
pytest could call (arguments, its kind of class) ends with exit code 5, as if there were no tests:
to skip it in silence would look like a pass.
"""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
import unittest
from collections.abc import Callable
from types import ModuleType

NO_TESTS_RAN = 5


def load(path: str) -> ModuleType:
    """Import the file as pytest would: its own folder first, under its own name."""
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    name = os.path.basename(path).removesuffix(".py")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def suite_of(module: ModuleType) -> unittest.TestSuite:
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__:
            continue  # imported from elsewhere
        if name.startswith("test") and inspect.isfunction(value):
            suite.addTest(unittest.FunctionTestCase(_called(name, value)))
        elif name.startswith("Test") and _is_for_pytest(value):
            _give_up(f"class {name} is for pytest, which a trial does not have")
    return suite


def _is_for_pytest(value: object) -> bool:
    return inspect.isclass(value) and not issubclass(value, unittest.TestCase)


def _called(name: str, function: Callable[..., object]) -> Callable[[], object]:
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is parameter.empty and parameter.kind not in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        ):
            _give_up(f"{name} wants '{parameter.name}' from pytest, which a trial does not have")
    if inspect.iscoroutinefunction(function):
        import asyncio  # it costs as much as the rest of a short test

        return lambda: asyncio.run(function())
    return function


def _give_up(reason: str) -> None:
    print(reason, file=sys.stderr)
    sys.exit(NO_TESTS_RAN)


if __name__ == "__main__":
    suite = suite_of(load(sys.argv[1]))
    # A file without any test function is itself the test, and has run to its end by now.
    sys.exit(0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1)
