"""What an editor is offered at a place, without an editor: edits are applied, and judged."""

import re
from pathlib import Path

import pytest

from tests.serve.wire import PAPER
from verifier import Settings, load_text, verify
from verifier.judge.verdict import Verdict
from verifier.serve.editor.actions import Action, actions, applied
from verifier.serve.editor.completion import completions
from verifier.serve.editor.hover import fenced, hover
from verifier.serve.editor.marks import hints_of, marks_of
from verifier.serve.editor.page import Page, cell_page, key_of, preamble_cell, read_page

ONE = Settings(jobs=1)
SPEC = """\
theorem: toy/all
symbols:
  x: real
  y: real
claims:
  square:
    says: (x + y)**2 == x**2 + y**2
  flow: {says: "(x - y)**2 == x**2 - y**2"}
  bound:
    expect: holds
    says: x**2 + y**2 >= x*y
  chain:
    steps: |
      (x + y)**2
      == x**2 + x*y + y**2
      >= 0
  true:
    says: x - x == 0
"""


def judged(text: str, suffix: str = ".yaml", file: str = "toy") -> Page:
    """A page whose every claim is judged."""
    page = read_page(Page(text, file, suffix), {}, ONE)
    for verdict in verify(page.loaded, ONE).verdicts:
        if isinstance(verdict, Verdict):
            page = page.with_verdict(verdict)
    return page


@pytest.fixture(scope="module")
def page() -> Page:
    return judged(SPEC)


def line_of(text: str, words: str) -> int:
    return next(at for at, line in enumerate(text.split("\n")) if words in line)


def offers(page: Page, words: str) -> list[Action]:
    return actions(page, line_of(page.text, words))


@pytest.mark.parametrize("words", ["says: (x + y)**2", "flow:", "== x**2 + x*y"])
def test_the_correction_makes_the_claim_true(page: Page, words: str) -> None:
    (fix,) = (action for action in offers(page, words) if "correction" in action.title)
    assert fix.preferred
    after = verify(load_text(applied(SPEC, fix.edit)), ONE)
    true = {item.id for item in after.verdicts if item.verdict in ("holds", "loose")}
    before = {name for name, verdict in page.verdicts.items() if verdict.verdict in ("holds", "loose")}
    assert true - before == {fix.fixes}
    assert before <= true


@pytest.mark.parametrize("words", ["says: (x + y)**2", "flow:", "== x**2 + x*y", "expect: holds"])
def test_an_accepted_verdict_is_expected(page: Page, words: str) -> None:
    found = [action for action in offers(page, words) if action.title.startswith("Accept")]
    verdict = page.verdicts[next(e.id for e in page.entries if line_of(SPEC, words) in page.region(e))]
    if verdict.as_expected and verdict.claim.expect:
        assert found == []
        return
    (accept,) = found
    loaded = load_text(applied(SPEC, accept.edit))
    assert not loaded.problems
    claims = {claim.id: claim for claim in loaded.claims}
    assert len(claims) == 5
    assert claims[verdict.id].expect == (verdict.verdict,)


def test_nothing_is_offered_where_nothing_is_wrong(page: Page) -> None:
    assert [action.title for action in offers(page, "says: x - x")] == ["Draft another claim here"]
    assert actions(page, 0) == []
    assert actions(read_page(Page("theorem: [", "toy", ".yaml"), {}, ONE), 0) == []


def test_a_drafted_claim_is_one_more_and_cannot_be_taken_for_judged(page: Page) -> None:
    (draft,) = (action for action in offers(page, "says: x - x") if action.kind == "write")
    after = read_page(Page(applied(SPEC, draft.edit), "toy", ".yaml"), {}, ONE)
    assert len(after.entries) == len(page.entries) + 1
    assert [mark.level for mark in marks_of(after) if "relation" in mark.message] == ["error"]


@pytest.mark.parametrize(("suffix", "mark"), [(".tex", "%%claim"), (".md", "```claim")])
def test_a_claim_is_drafted_for_a_labelled_formula(suffix: str, mark: str) -> None:
    text = "\\begin{equation}\\label{eq:one}\n x = x\n\\end{equation}\nand so on\n"
    page = read_page(Page(text, "paper", suffix), {}, ONE)
    (draft,) = actions(page, 1)
    after = applied(text, draft.edit)
    assert mark in after
    (entry,) = read_page(Page(after, "paper", suffix), {}, ONE).entries
    assert entry.id == "draft/eq-one#eq-one"
    assert actions(page, 3) == []


def test_a_paper_without_claims_is_judged_at_its_formulas() -> None:
    """As a reading: its marks are no errors, and say what was read. What is drafted from it says the same."""
    page = judged(PAPER, ".tex", "paper.tex")
    assert page.drafted
    at = line_of(PAPER, "(x + y)^2")
    (mark,) = (mark for mark in marks_of(page) if mark.code == "fails")
    assert (mark.span.line, mark.level) == (at, "warning")
    assert "as we read it: (x + y)² = x² + y²" in mark.message
    fix, draft = actions(page, at)
    assert draft.title == "Draft a claim for eq:square"
    assert fix.preferred
    mended = judged(applied(PAPER, fix.edit), ".tex", "paper.tex")
    assert [verdict.verdict for verdict in mended.verdicts.values()] == ["holds"]
    assert "\\label{eq:square}" in mended.text
    after = judged(applied(PAPER, draft.edit), ".tex", "paper.tex")
    assert not after.drafted
    assert [verdict.verdict for verdict in after.verdicts.values()] == ["fails"]
    assert {mark.level for mark in marks_of(after)} == {"error"}
    true = judged(PAPER.replace("x^2 + y^2 .", "x^2 + 2 x y + y^2 ."), ".tex", "paper.tex")
    assert [hint.label for hint in hints_of(true)] == ["✓ holds, proved"]


@pytest.mark.parametrize(
    ("formula", "mended"),
    [
        ("$$ (x + y)^2 = x^2 + y^2. $$", r"\$\$ \(x \+ y\)\^2 = [^=]+\. \$\$"),
        ("\\[\n(x + y)^2\n= x^2 + y^2,\n\\]", r"\\\[\n\(x \+ y\)\^2\n= .*x.*y.*,\n\\\]"),
        ("\\[\n(x + y)^2 =\n x^2\n + y^2\n\\]", None),  # its right side goes over two lines
        ("\\[ (x + y)^2 = (x + y)(x + y) = x^2 + y^2 \\]", None),  # a chain
        ("$$ (x + y)^2 = x^2 + 2xy + y^2 $$", None),  # true
    ],
)
def test_a_correction_goes_into_the_formula_where_that_is_certain(formula: str, mended: str | None) -> None:
    text = PAPER.partition("\\begin{equation}")[0] + formula + PAPER.partition("\\end{equation}")[2]
    page = judged(text, ".tex", "paper.tex")
    assert len(page.verdicts) == 1
    found = [action for at in range(text.count("\n")) for action in actions(page, at) if action.preferred]
    assert bool(found) == (mended is not None)
    if mended is not None:
        after = applied(text, found[0].edit)
        assert re.search(mended, after)
        verdicts = judged(after, ".tex", "paper.tex").verdicts.values()
        assert [verdict.verdict for verdict in verdicts] == ["holds"]


@pytest.mark.parametrize("text", ["No formula at all.", "$", "$$\n\\frac{", "\\begin{equation}" * 200])
def test_prose_and_unfinished_formulas_are_no_claims(text: str) -> None:
    for suffix in (".tex", ".md"):
        page = read_page(Page(text, f"paper{suffix}", suffix), {}, ONE)
        assert page.loaded.claims == ()
        assert all(mark.level == "information" for mark in marks_of(page))


def test_the_preamble_of_the_folder_counts_for_a_text_that_is_not_saved(tmp_path: Path) -> None:
    (tmp_path / "preamble.yaml").write_text("symbols: {u: positive}\n")
    text = "theorem: a/b\nclaims: {c: {says: u > 0}}\n"
    assert marks_of(read_page(Page(text, str(tmp_path / "a.yaml"), ".yaml"), {}, ONE)) == []
    lonely = read_page(Page(text, "a", ".yaml"), {}, ONE)
    assert [mark.code for mark in marks_of(lonely)] == ["unknown-name"]
    wrong = Page("symbols: {u: reel}\n", str(tmp_path / "preamble.yaml"), ".yaml")
    assert [mark.code for mark in marks_of(read_page(wrong, {}, ONE))] == ["unknown-kind"]


def test_a_cell_is_read_under_the_preambles_before_it() -> None:
    said = preamble_cell("%%preamble\nsymbols: {u: positive}\n")
    assert said is not None
    cell = cell_page("%%claim\ntheorem: a/b\nclaims: {c: {says: u > 0}}\n", "cell:1", True, (said,))
    assert marks_of(read_page(cell, {}, ONE)) == []
    assert preamble_cell("print()") is None
    assert cell_page("x = 1", "cell:2", True).text == ""


def test_verdicts_stay_with_claims_that_move(page: Page) -> None:
    known = {key_of(entry, ONE): page.verdicts[entry.id] for entry in page.loaded.ready}
    moved = read_page(Page("# a line\n" + SPEC, "toy", ".yaml"), {k: v for k, v in known.items() if k}, ONE)
    assert moved.verdicts.keys() == page.verdicts.keys()
    assert [mark.span.line for mark in marks_of(moved)] == [mark.span.line + 1 for mark in marks_of(page)]
    assert not moved.open_claims.entries
    other = Page(SPEC.replace("y: real", "y: positive"), "toy", ".yaml")
    changed = read_page(other, {k: v for k, v in known.items() if k}, ONE)
    assert not changed.verdicts


def test_hints_stand_behind_every_line_that_is_judged(page: Page) -> None:
    lines = SPEC.split("\n")
    assert len(hints_of(page)) == 6
    assert all(hint.column == len(lines[hint.line]) for hint in hints_of(page))
    waiting = read_page(Page(SPEC, "toy", ".yaml"), {}, ONE)
    assert {hint.label for hint in hints_of(waiting)} == {"… judging"}


def test_hover_says_what_a_name_is_and_how_the_claim_was_read(page: Page) -> None:
    line = line_of(SPEC, "says: (x + y)**2")
    words = hover(page, line, SPEC.split("\n")[line].index("+ y") + 2)
    assert words is not None
    assert "y is any real number" in words.partition("We read")[0]
    assert hover(page, 0, 0) is None


def test_a_fence_cannot_be_closed_from_inside() -> None:
    shown = fenced(["a ``` b", "````", "[link](command:x)"]).split("\n")
    assert shown[0] == "`````text"
    assert shown[-1] == "`````"
    assert "`````" not in "".join(shown[1:-1])


TYPED = """\
theorem: toy/all
symbols:
  alpha: positive
  W: no
let:
  half: alp
assumptions: {small: alpha < 1}
claims:
  one:
    s
  two:
    says: nor
    under: [sm
    expect: h
"""


@pytest.mark.parametrize(
    ("line", "some", "none"),
    [
        ("  W: no", {"normal", "matrix"}, {"says", "norm"}),
        ("  half: alp", {"alpha", "norm"}, {"says", "normal"}),
        ("    s", {"says", "steps"}, {"norm", "alpha"}),
        ("    says: nor", {"norm", "alpha", "half"}, {"says", "matrix"}),
        ("    under: [sm", {"small"}, {"alpha", "norm"}),
        ("    expect: h", {"holds", "fails"}, {"alpha", "error"}),
    ],
)
def test_completion_fits_its_place(line: str, some: set[str], none: set[str]) -> None:
    page = read_page(Page(TYPED, "toy", ".yaml"), {}, ONE)
    at = TYPED.split("\n").index(line)
    found = {choice.label for choice in completions(page, at, len(line))}
    assert some <= found
    assert not none & found


def test_completion_outside_of_claims_is_silent() -> None:
    page = read_page(Page("Some prose.\n\n```claim\ntheorem: a/b\n\n```\n", "toy", ".md"), {}, ONE)
    assert completions(page, 0, 4) == []
    assert completions(page, 99, 0) == []
    assert "symbols" in {choice.label for choice in completions(page, 4, 0)}
