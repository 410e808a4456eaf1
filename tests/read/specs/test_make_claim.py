"""Claims, complete in themselves: values, names, shapes, growth, and every slip in its place."""

from fractions import Fraction

import pytest

from tests.read.specs.heads import HEAD, claim, says
from tests.read.specs.marks import accepted, one_problem, refused
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.expr.walk import walk

# --- values --------------------------------------------------------------------------------------


def test_where_fixes_symbols_everywhere() -> None:
    only = claim("    claims: {c: {says: n * x == 6 * x, where: {n: 6, x: 1/2}}}\n")
    fact = only.steps[0].fact
    assert isinstance(fact, N.Relation)
    assert not [node for node in _symbols(fact) if node.name in ("n", "x")]
    assert only.where == {"n": Fraction(6), "x": Fraction(1, 2)}
    assert str(only.symbols["A"].shape) == "6-by-m"


def _symbols(part: N.Fact) -> list[N.Symbol]:
    return [node for node in walk(part) if isinstance(node, N.Symbol)]


def test_each_makes_one_claim_per_value() -> None:
    text = "    claims: {c: {says: x**p >= q, each: {p: [2, 4], q: [0, -1/2]}}}\n"
    claims = accepted(HEAD + text).claims
    assert [found.id for found in claims] == [
        "a/b#c[p=2,q=0]",
        "a/b#c[p=2,q=-1/2]",
        "a/b#c[p=4,q=0]",
        "a/b#c[p=4,q=-1/2]",
    ]
    assert [to_text(found.steps[0].fact.right) for found in claims] == ["0", "-1/2", "0", "-1/2"]  # type: ignore[union-attr]


def test_each_may_fix_a_declared_size() -> None:
    claims = accepted(HEAD + "    claims: {c: {says: norm(A) >= 0, each: {n: [2, 3]}}}\n").claims
    assert [str(found.symbols["A"].shape) for found in claims] == ["2-by-m", "3-by-m"]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ("        where: {¤k: 2}\n", "unknown-name"),
        ("        where: {¤n: 2}\n        each: {n: [2]}\n", "where"),
        ("        each: {¤pi: [3]}\n", "reserved"),
        ("        each: {¤B: [3]}\n    let: {B: A.T}\n", "name-taken"),
        ("        each: {¤__class__: [3]}\n", "reserved"),
        ("        each: {¤p q: [3]}\n", "name"),
        ("        sweep: {¤k: [3]}\n", "unknown-name"),
        ("        sweep: {¤n: [2, 2.5]}\n", "value"),
        ("        sweep: {¤A: [1]}\n", "value"),
    ],
)
def test_slips_in_values(more: str, code: str) -> None:
    assert one_problem(says("x == x", more)).code == code


def test_each_is_bounded() -> None:
    values = ", ".join(map(str, range(40)))
    text = f"{HEAD}    claims:\n      ¤c: {{says: x == x, each: {{p: [{values}], q: [{values}]}}}}\n"
    assert one_problem(text).code == "too-long"


# --- names and shapes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("x == ¤y", "unknown-name", "'y'"),
        ("norm(¤a) == 1", "unknown-name", "did you mean 'A'"),
        ("¤nrm(A) == 1", "unknown-name", "did you mean 'norm'"),
        ("¤A @ A == 1", "shape", "n-by-m by n-by-m"),
        ("x + ¤(A + A.T) == 1", "shape", "n-by-m and m-by-n"),
        ("¤A == v", "shape", "n-by-m and n-by-1"),
        ("x ¤= 1", "syntax", "=="),
        ("x ¤^ 2 == 1", "bad-character", "**"),
        ("¤x", "not-a-relation", "=="),
        ("¤x != 1", "relation", "assumptions"),
        ("¤all(x <= i, i, 1, n)", "not-a-relation", "assumptions"),
        ("x == 1 ¤== 1", "syntax", "steps"),
        ("x == A.¤inverse", "syntax", ".T"),
        ("¤x + 1 >= O(n)", "growth", "O(f)"),
        ("¤x + O(n) == 1", "growth", "alone"),
        ("¤O(n) >= x", "growth", "alone"),
        ("¤x <= Theta(n)", "growth", "Theta"),
        ("x == ¤after(v, 2)", "layers", "layers"),
        ("x == sum(x, ¤v, 1, n)", "name-taken", "already"),
        ("v[¤0] == 1", "index", "count from 1"),
        ("D(x, ¤x + 1) == 1", "derivative", "not a variable"),
        ("sup(x, ¤W) == 1", "extreme", "fixed"),
    ],
)
def test_slips_in_statements(text: str, code: str, words: str) -> None:
    for style in (text, f"'{text}'", f'"{text}"', f">\n          {text}", f"|\n          {text}"):
        problem = one_problem(says(style))
        assert problem.code == code
        assert words in f"{problem.message} {problem.hint}"


def test_all_slips_of_a_claim_at_once() -> None:
    problems = refused("""
        theorem: a/b
        symbols: {n: dimension, x: real, A: "matrix(n, 2)"}
        let:
          f: x + ¤y
          g: f + 1
          h: ¤tr(A)
        assumptions:
          a: x + ¤z == 1
          b: x <= 1
        claims:
          c:
            says: x == ¤u
            as: ¤k -> oo
            sweep: {¤q: [1]}
        """)
    assert [problem.message.rpartition(" ")[2] for problem in problems] == [
        "'y'", "n-by-2", "'z'", "'u'", "'k'", "declared",
    ]  # fmt: skip


def test_a_wrong_claim_leaves_its_siblings() -> None:
    text = "    claims:\n      good: {says: x == x}\n      bad: {says: x == ¤y}\n      fine: {says: x <= x}\n"
    (problem,) = refused(HEAD + text)
    assert problem.code == "unknown-name"
    loaded = accepted(HEAD + text.replace("¤y", "x"))
    assert [found.id for found in loaded.claims] == ["a/b#good", "a/b#bad", "a/b#fine"]


# --- growth ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("growing", "code"),
    [("¤n", "as"), ("¤n -> 0", "as"), ("¤k -> oo", "unknown-name"), ("[n -> oo, ¤W -> oo]", "as")],
)
def test_slips_in_growth(growing: str, code: str) -> None:
    assert one_problem(says("x <= O(n)", f"        as: {growing}\n")).code == code


def test_what_is_fixed_does_not_grow() -> None:
    assert one_problem(says("x <= O(n)", "        as: ¤n -> oo\n        where: {n: 2}\n")).code == "as"


def test_growth() -> None:
    (only,) = accepted(says("n * m == Theta(n * m)", "        as: [n -> oo, m -> oo]\n")).claims
    assert [symbol.name for symbol in only.growing] == ["n", "m"]
    accepted(says("x == O(n)"))
    accepted(says("x == Omega(n)"))
