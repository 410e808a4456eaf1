"""Claims in the cells of notebooks, at the lines of the file."""

import json
from pathlib import Path
from typing import Any

import pytest

from verifier.read.specs.load import load_paths
from verifier.read.specs.loaded import Broken
from verifier.read.specs.notebooks import cells_of, never_loaded
from verifier.read.specs.writeup_statements import statements_of


def notebook(*cells: tuple[str, str], indent: int | None = 1) -> str:
    made = [
        {
            "cell_type": kind,
            "metadata": {"note": '"source": ["no"]'},
            "source": text.splitlines(keepends=True),
        }
        | ({"outputs": [], "execution_count": None} if kind == "code" else {})
        for kind, text in cells
    ]
    whole: dict[str, Any] = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=indent) + "\n"


PAGE = notebook(
    ("markdown", "# Title\n\n$$ y = x $$ {#eq-one}\n\n```claim\ntheorem: a/b\nsymbols: {x: real}\n"
     "claims:\n  c: {says: x == x}\n```\n"),
    ("code", "print('```claim')\n"),
    ("code", "%%claim\ntheorem: a/c\nclaims:\n  d:\n    says: 1 == z\n"),
)  # fmt: skip


def test_markdown_cells_and_cells_of_code(tmp_path: Path) -> None:
    path = tmp_path / "page.ipynb"
    path.write_text(PAGE)
    loaded = load_paths([path])
    (claim,) = loaded.claims
    (broken,) = (entry for entry in loaded.entries if isinstance(entry, Broken))
    lines = PAGE.split("\n")
    assert lines[claim.position.line - 1][claim.position.column - 1 :].startswith("c: {says")
    (problem,) = broken.problems
    assert problem.code == "unknown-name"
    assert lines[problem.position.line - 1][problem.position.column - 1] == "z"
    assert [claim.id, broken.id] == ["a/b#c", "a/c#d"]


def test_statements_of_a_notebook() -> None:
    (item,) = statements_of(PAGE, "page", ".ipynb")
    assert item.label == "eq-one"
    assert "y = x" in PAGE.split("\n")[item.first - 1]


def test_what_is_no_notebook_is_said(tmp_path: Path) -> None:
    for name, text in {"a": '{"claim": 1}', "b": '["claim"]', "c": "claim"}.items():
        path = tmp_path / f"{name}.ipynb"
        path.write_text(text)
        (problem,) = load_paths([path]).problems
        assert problem.code == "notebook"
    path.write_text(notebook(("markdown", "text")).replace('[\n    "text"\n   ]', '"```claim\\nx: 1\\n```"'))
    (problem,) = load_paths([path]).problems
    assert "one line of the file" in problem.message


def test_cells_are_found_however_the_file_is_laid_out() -> None:
    cells = cells_of(notebook(("markdown", "a\nb\n"), ("code", ""), indent=2))
    assert [(cell.kind, len(cell.lines)) for cell in cells] == [("markdown", 2), ("code", 0)]


CLAIM = ("code", "%%claim\ntheorem: a/c\nclaims: {d: {says: 1 == 1}}\n")
LOAD = ("code", "import os\n%load_ext verifier\n")


@pytest.mark.parametrize(
    "cells",
    [
        [CLAIM],
        [("markdown", "%load_ext verifier"), CLAIM],
        [("code", "%load_ext verifiers"), CLAIM],
        [("code", "# %load_ext verifier"), CLAIM],
        [CLAIM, LOAD],
        [("code", "%%preamble\nsymbols: {x: real}"), LOAD, CLAIM],
    ],
)
def test_a_cell_at_which_ipython_stops_is_found(cells: list[tuple[str, str]]) -> None:
    text = notebook(*cells)
    line = never_loaded(text, "verifier")
    assert line is not None
    assert "%%claim" in text.split("\n")[line - 1] or "%%preamble" in text.split("\n")[line - 1]


@pytest.mark.parametrize(
    "cells", [[LOAD, CLAIM], [("code", "%reload_ext verifier"), CLAIM], [("code", "print('%%claim')")], []]
)
def test_a_notebook_that_runs_through_is_not_warned_of(cells: list[tuple[str, str]]) -> None:
    assert never_loaded(notebook(*cells), "verifier") is None
