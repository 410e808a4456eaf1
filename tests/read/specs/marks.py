"""Specs with marks at the places where problems are expected."""

import textwrap

from verifier.claim.problems import Problem
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken, Loaded

MARK = "¤"


def marked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The dedented text without its marks, and the line and column of each."""
    places = []
    lines = []
    for number, line in enumerate(textwrap.dedent(text).split("\n"), 1):
        while MARK in line:
            places.append((number, line.index(MARK) + 1))
            line = line.replace(MARK, "", 1)
        lines.append(line)
    return "\n".join(lines), places


def problems_of(loaded: Loaded) -> list[Problem]:
    broken = [problem for entry in loaded.entries if isinstance(entry, Broken) for problem in entry.problems]
    return [*loaded.problems, *broken]


def refused(text: str, suffix: str = ".yaml") -> list[Problem]:
    """The problems of a text, each at one of its marks, and none elsewhere."""
    clean, places = marked(text)
    problems = problems_of(load_text(clean, "spec", suffix))
    assert sorted({(p.position.line, p.position.column) for p in problems}) == places, list(
        map(str, problems)
    )
    for problem in problems:
        assert problem.position.file == "spec"
        assert problem.line_text == clean.split("\n")[problem.position.line - 1]
    return problems


def one_problem(text: str, suffix: str = ".yaml") -> Problem:
    (problem,) = refused(text, suffix)
    return problem


def accepted(text: str, suffix: str = ".yaml") -> Loaded:
    loaded = load_text(textwrap.dedent(text), "spec", suffix)
    assert not problems_of(loaded), list(map(str, problems_of(loaded)))
    return loaded
