"""A paper under the gate: green; then one character of a formula changes, and it is red at that line in
every format."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from verifier.cli import main

HERE = Path(__file__).parent
FORMATS = ("json", "junit", "sarif", "github", "markdown", "text", "badge")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("paper.tex", "paper.md"):
        text = (HERE / name).read_text()
        (tmp_path / name).write_text(text)
    outputs = "\n".join(f'{form} = "out/{form}"' for form in FORMATS)
    (tmp_path / "verify.toml").write_text(f'paths = ["."]\njobs = 1\nseconds = 20\n[outputs]\n{outputs}\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VERIFY_CACHE", str(tmp_path / ".verify-cache"))
    return tmp_path


def change(path: Path, old: str, new: str) -> int:
    """Change one character; returns the line where it stands."""
    text = path.read_text()
    assert text.count(old) == 1
    assert sum(a != b for a, b in zip(old, new, strict=True)) == 1
    path.write_text(text.replace(old, new))
    line = text[: text.index(old)].count("\n")
    return line + 1


def red_at(folder: Path, file: str, line: int) -> list[str]:
    """The formats that do not point at this line of this file."""
    out = {form: (folder / "out" / form).read_text() for form in FORMATS}
    report = json.loads(out["json"])
    places = [
        (item["place"]["file"], item["place"]["line"]) for item in report["claims"] if item["gate"] == "fails"
    ]
    regions = [
        (place["artifactLocation"]["uri"], place["region"]["startLine"])
        for result in json.loads(out["sarif"])["runs"][0]["results"]
        for place in [result["locations"][0]["physicalLocation"]]
    ]
    cases = [
        element.text or ""
        for kind in ("failure", "error")
        for element in ElementTree.fromstring(out["junit"]).iter(kind)
    ]
    found = {
        "json": (file, line) in places,
        "sarif": (file, line) in regions,
        "junit": any(re.search(rf"{file}:{line}:", text) for text in cases),
        "github": f"::error file={file},line={line}," in out["github"],
        "markdown": f"`{file}:{line}`" in out["markdown"] and "✗" in out["markdown"],
        "text": f"{file}:{line}:" in out["text"] or "fails" in out["text"],
        "badge": "#c62828" in out["badge"],
    }
    return [form for form, seen in found.items() if not seen]


def test_green_then_red_at_the_line_in_every_format(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--min-coverage", "50"]) == 0
    shown = capsys.readouterr().out
    assert "2 of 4 statements of the write-up have a claim" in shown
    assert "#2e7d32" in (repository / "out" / "badge").read_text()
    assert json.loads((repository / "out" / "sarif").read_text())["runs"][0]["results"] == []

    # The paper changes and the claim does not: the formula's own line.
    line = change(repository / "paper.tex", r"+ 2\mathbf{x} + 1 .", r"+ 3\mathbf{x} + 1 .")
    assert main([]) == 2
    assert red_at(repository, "paper.tex", line) == []
    report = json.loads((repository / "out" / "json").read_text())
    (wrong,) = (claim for claim in report["claims"] if claim["gate"] == "fails")
    assert wrong["errors"][0]["code"] == "drift"
    assert "x**2 + 3*x + 1" in wrong["reason"]
    assert "x**2 + 2*x + 1" in wrong["reason"]
    # What did not change was not judged again.
    assert report["run"]["remembered"] >= 2

    # Paper and claim change together: now they agree, and both are false.
    line = change(repository / "paper.tex", "x**2 + 2*x + 1", "x**2 + 3*x + 1")
    assert main([]) == 1
    assert red_at(repository, "paper.tex", line) == []
    report = json.loads((repository / "out" / "json").read_text())
    (wrong,) = (claim for claim in report["claims"] if claim["gate"] == "fails")
    assert (wrong["verdict"], wrong["corrected"] is not None) == ("fails", True)

    # The other page, in Markdown.
    line = change(repository / "paper.md", "latex: b a", "latex: b b")
    assert main([]) == 2
    assert red_at(repository, "paper.md", line) == []

    # Known faults can be put into a baseline; a wrong spec cannot.
    change(repository / "paper.md", "latex: b b", "latex: b a")
    assert main(["--output", "json=baseline.json"]) == 1
    assert main(["--baseline", "baseline.json"]) == 0
    assert main(["--fail-on", "loose"]) == 0
    capsys.readouterr()
    assert main(["--baseline", "missing.json"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_outputs_that_cannot_be_written_do_not_keep_the_others_from_it(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "file").write_text("")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(repository / "summary.md"))
    options = [
        "paper.md",
        "--format",
        "github",
        "--output",
        "json=file/below",
        "--output",
        "junit=ok/out.xml",
    ]
    assert main(options) == 2
    assert "json cannot be written" in capsys.readouterr().err
    assert (repository / "ok" / "out.xml").exists()
    assert (repository / "summary.md").read_text().startswith("### verify: ✓")
