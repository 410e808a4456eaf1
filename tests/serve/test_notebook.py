"""A notebook that is run from its first cell to its last, by the client that runs notebooks."""

import importlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from tests.serve.wire import CLAIMS, ROOT
from verifier.read.specs.load import load_paths

nbformat: Any = importlib.import_module("nbformat")  # which is not typed
CELLS = {
    "load": "%load_ext verifier",
    "claims": f"%%claim\n{CLAIMS}",
    "line": 'verdict = judge("(x + y)**2 == x**2 + y**2")\nverdict',
    "point": "{name: int(value) for name, value in verdict.counterexample.values.items()}",
    "kept": "[(item.id.partition('#')[2], item.verdict) for item in _oh[2].verdicts]",
    "magic": "%claim 2 + 2 == 5",
    "nonsense": "%%claim\n}{ this is [ no YAML",
    "empty": "%%claim",
    "words": "%%claim here\ntheorem: a/b\nclaims: {c: {says: 1 == 1}}",
    "hostile": "%%claim\ntheorem: a/b\nclaims: {c: {says: '1 == <script>alert()</script>', title: '<img>'}}",
    "unreadable": 'judge("x +", "x: real")',
    "list": "[judge('1 == 1')]",
    "preamble": "%%preamble\nsymbols:\n  u: positive\n  v: reel\n",
    "under": "%%claim\ntheorem: a/u\nclaims: {c: {says: u > 0}}",
    "nothing": "%%preamble",
    "last": "'reached'",
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """What each cell shows, after one run of all."""
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "verify.toml").write_text("jobs = 1\n")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS.values()])
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        client.execute()
    return {name: cell.outputs for name, cell in zip(CELLS, notebook.cells, strict=True)}


def shown(outputs: list[Any], kind: str = "text/plain") -> str:
    return "\n".join(output["data"][kind] for output in outputs if kind in output.get("data", {}))


def printed(outputs: list[Any]) -> str:
    return "".join(output["text"] for output in outputs if output["output_type"] == "stream")


def test_no_claim_cell_stops_the_run(outputs: dict[str, list[Any]]) -> None:
    kinds = {output["output_type"] for found in outputs.values() for output in found}
    assert "error" not in kinds
    assert shown(outputs["last"]) == "'reached'"


def test_a_cell_shows_its_verdicts_richly_and_plainly(outputs: dict[str, list[Any]]) -> None:
    page, text = shown(outputs["claims"], "text/html"), shown(outputs["claims"])
    ElementTree.fromstring(f"<div>{page}</div>")
    for words in ("<math", "<svg", "Counterexample", "checked by the kernel"):
        assert words in page or words in text
    assert "left side 4, right side 2" in text
    assert "<cell>:12:15: unknown name 'q'" in text
    assert shown(outputs["kept"]) == "[('cube', 'holds'), ('square', 'fails'), ('unread', 'error')]"


def test_a_line_is_a_value_that_one_computes_with(outputs: dict[str, list[Any]]) -> None:
    assert "<math" in shown(outputs["line"], "text/html")
    assert "fails (proved)" in shown(outputs["line"])
    assert shown(outputs["point"]).startswith("{'x': ")
    assert "fails" in shown(outputs["magic"])
    assert shown(outputs["list"]).startswith("[<Verdict line/1#says: holds")


def test_what_is_wrong_is_told_below_the_cell(outputs: dict[str, list[Any]]) -> None:
    assert "<cell>:2:" in shown(outputs["nonsense"])
    assert "no claims" in shown(outputs["empty"])
    assert "the claims begin on the next" in printed(outputs["words"])
    assert "ends too early" in shown(outputs["unreadable"])
    page = shown(outputs["hostile"], "text/html")
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script" in page


def test_a_preamble_counts_for_the_cells_after_it(outputs: dict[str, list[Any]]) -> None:
    assert "unknown kind of symbol 'reel'" in printed(outputs["preamble"])
    assert "<cell>:4:" in printed(outputs["preamble"])
    assert "a/u#c: holds" in shown(outputs["under"])


def test_the_command_reads_the_same_cells(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELLS["claims"])])
    path = tmp_path / "toy.ipynb"
    nbformat.write(notebook, path)
    assert [claim.id for claim in load_paths([path]).claims] == ["toy/all#cube", "toy/all#square"]


def test_without_the_extension_the_magic_is_unknown(tmp_path: Path) -> None:
    """The one thing that stops a run: nobody told the notebook what `%%claim` is."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELLS["claims"])])
    with pytest.raises(CellExecutionError, match="not found"):
        NotebookClient(notebook, timeout=60).execute()
