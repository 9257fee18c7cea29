"""The examples in the docstrings of analysis.stats are right."""

import doctest
import importlib
import pkgutil

import pytest

import analysis.stats

MODULES = sorted(m.name for m in pkgutil.iter_modules(analysis.stats.__path__, "analysis.stats."))


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_are_there():
    finder = doctest.DocTestFinder()
    found = [finder.find(importlib.import_module(name)) for name in MODULES]
    assert sum(len(test.examples) for tests in found for test in tests) >= 30
