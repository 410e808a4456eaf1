"""What an editor is offered at a place, without an editor: edits are applied, and judged."""

import pytest

from verifier import Settings, load_text, verify
from verifier.judge.verdict import Verdict
from verifier.serve.editor.actions import Action, actions, applied
from verifier.serve.editor.completion import completions
from verifier.serve.editor.hover import fenced, hover
from verifier.serve.editor.marks import hints_of, marks_of
from verifier.serve.editor.page import Page, key_of, read_page

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


def judged(text: str, suffix: str = ".yaml") -> Page:
    """A page whose every claim is judged."""
    page = read_page(text, "toy", suffix, {}, ONE)
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
    verdicts = {item.id: item.verdict for item in after.verdicts}
    assert verdicts[fix.fixes or ""] in ("holds", "loose")
    before = {name: verdict.verdict for name, verdict in page.verdicts.items()}
    assert {name for name in before if before[name] != verdicts[name]} == {fix.fixes}


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
    assert actions(read_page("theorem: [", "toy", ".yaml", {}, ONE), 0) == []


def test_a_drafted_claim_is_one_more_and_cannot_be_taken_for_judged(page: Page) -> None:
    (draft,) = (action for action in offers(page, "says: x - x") if action.kind == "write")
    after = read_page(applied(SPEC, draft.edit), "toy", ".yaml", {}, ONE)
    assert len(after.entries) == len(page.entries) + 1
    assert [mark.level for mark in marks_of(after) if "relation" in mark.message] == ["error"]


@pytest.mark.parametrize(("suffix", "mark"), [(".tex", "%%claim"), (".md", "```claim")])
def test_a_claim_is_drafted_for_a_labelled_formula(suffix: str, mark: str) -> None:
    text = "\\begin{equation}\\label{eq:one}\n x = x\n\\end{equation}\nand so on\n"
    page = read_page(text, "paper", suffix, {}, ONE)
    (draft,) = actions(page, 1)
    after = applied(text, draft.edit)
    assert mark in after
    (entry,) = read_page(after, "paper", suffix, {}, ONE).entries
    assert entry.id == "draft/eq-one#eq-one"
    assert actions(page, 3) == []


def test_verdicts_stay_with_claims_that_move(page: Page) -> None:
    known = {key_of(entry, ONE): page.verdicts[entry.id] for entry in page.loaded.ready}
    moved = read_page("# a line\n" + SPEC, "toy", ".yaml", {k: v for k, v in known.items() if k}, ONE)
    assert moved.verdicts.keys() == page.verdicts.keys()
    assert [mark.span.line for mark in marks_of(moved)] == [mark.span.line + 1 for mark in marks_of(page)]
    assert not moved.open_claims.entries
    changed = read_page(
        SPEC.replace("y: real", "y: positive"), "toy", ".yaml", {k: v for k, v in known.items() if k}, ONE
    )
    assert not changed.verdicts


def test_hints_stand_behind_every_line_that_is_judged(page: Page) -> None:
    lines = SPEC.split("\n")
    assert len(hints_of(page)) == 6
    assert all(hint.column == len(lines[hint.line]) for hint in hints_of(page))
    waiting = read_page(SPEC, "toy", ".yaml", {}, ONE)
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
    page = read_page(TYPED, "toy", ".yaml", {}, ONE)
    at = TYPED.split("\n").index(line)
    found = {choice.label for choice in completions(page, at, len(line))}
    assert some <= found
    assert not none & found


def test_completion_outside_of_claims_is_silent() -> None:
    page = read_page("Some prose.\n\n```claim\ntheorem: a/b\n\n```\n", "toy", ".md", {}, ONE)
    assert completions(page, 0, 4) == []
    assert completions(page, 99, 0) == []
    assert "symbols" in {choice.label for choice in completions(page, 4, 0)}
