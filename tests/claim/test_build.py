"""Claims, complete in themselves: values, assumptions, layers, growth, and every slip in its place."""

from fractions import Fraction

import pytest

from tests.claim.marks import accepted, one_problem, refused
from verifier.claim.build import build
from verifier.claim.ground import MAX_EXPANDED
from verifier.claim.loaded import Ready
from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.sizes import MAX_TREE_DEPTH
from verifier.expr.text import to_text
from verifier.expr.walk import walk

HEAD = """
    theorem: a/b
    symbols:
      n: dimension
      m: dimension
      x: real
      v: vector(n)
      A: matrix(n, m)
      W: normal(m, m)
"""


def claim(text: str) -> Claim:
    (only,) = accepted(HEAD + text).claims
    return only


def says(text: str, more: str = "") -> str:
    return f"{HEAD}    claims:\n      c:\n        says: {text}\n{more}"


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


# --- lets ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lets", "code"),
    [
        ("{f: ¤g, g: x}", "unknown-name"),
        ("{f: ¤f + 1}", "unknown-name"),
        ("{x: ¤1}", "name-taken"),
        ("{f: ¤A @ A}", "shape"),
    ],
)
def test_slips_in_lets(lets: str, code: str) -> None:
    assert one_problem(f"{HEAD}    let: {lets}\n    claims: {{c: {{says: x == x}}}}\n").code == code


def test_lets_that_double_are_refused() -> None:
    lines = ["f0: x + x"] + [f"f{at}: f{at - 1} + f{at - 1}" for at in range(1, 40)]
    # Each is a sum of two names for the one before; the first beyond the bound is told.
    size, at = 3, 0
    while size <= MAX_EXPANDED:
        size, at = 1 + 2 * (1 + size), at + 1
    lines[at] = lines[at].replace(": ", ": ¤")
    body = "\n".join(f"      {line}" for line in lines)
    problem = one_problem(f"{HEAD}    let:\n{body}\n    claims: {{c: {{says: f39 == x}}}}\n")
    assert problem.code == "too-large"


def test_lets_that_nest_are_refused() -> None:
    lines = ["f0: x"] + [f"f{at}: f{at - 1} + 1" for at in range(1, MAX_TREE_DEPTH)]
    lines[MAX_TREE_DEPTH // 2] = lines[MAX_TREE_DEPTH // 2].replace(": ", ": ¤")
    body = "\n".join(f"      {line}" for line in lines)
    problem = one_problem(f"{HEAD}    let:\n{body}\n    claims: {{c: {{says: x == x}}}}\n")
    assert problem.code == "too-deep"


def test_the_deepest_tree_that_is_accepted_can_be_worked_with() -> None:
    terms = " + ".join(["x"] * (MAX_TREE_DEPTH - 20))
    fact = claim(f"    claims:\n      c: {{says: {terms} == x}}\n").steps[0].fact
    assert isinstance(fact, N.Relation)
    assert to_text(fact.left).count("x") == MAX_TREE_DEPTH - 20
    assert hash(fact) == hash(fact)


# --- assumptions -----------------------------------------------------------------------------------

ASSUMED = """
    assumptions:
      value: B == zeros(n, m)
      substitution: x == 2
      small: norm(v) <= 1
      apart: independent(x, n)
      entries: all(abs(v[i]) <= 1, i, 1, n)
      range: x in [0, 2]
      not-zero: x != 0
    let: {B: 2 * A}
    claims:
      all: {says: x == 2}
      two: {says: x == 2, under: [small, value]}
      none: {says: x == 2, under: []}
"""


def test_assumptions_in_force() -> None:
    every, two, none = accepted(HEAD + ASSUMED).claims
    assert [a.name for a in every.assumptions] == [
        "value", "substitution", "small", "apart", "entries", "range", "not-zero",
    ]  # fmt: skip
    assert [a.name for a in two.assumptions] == ["small", "value"]
    assert none.assumptions == ()


def test_what_sort_of_assumption_it_is() -> None:
    every = accepted(HEAD + ASSUMED).claims[0]
    sorts = {
        a.name: [
            sort
            for sort in ("assumed_value", "substitution", "independence", "constraint")
            if getattr(a, sort) is not None
        ]
        for a in every.assumptions
    }
    assert sorts == {
        "value": ["assumed_value"],
        "substitution": ["substitution"],
        "small": ["constraint"],
        "apart": ["independence"],
        "entries": ["constraint"],
        "range": ["constraint"],
        "not-zero": ["constraint"],
    }


@pytest.mark.parametrize(
    ("assumptions", "under", "code", "words"),
    [
        ("{bounded: x <= 1}", "[¤bonded]", "unknown-assumption", "'bounded'"),
        ("{bounded: x <= ¤y}", "[bounded]", "unknown-name", "'y'"),
        ("{bounded: ¤x + 1}", "[bounded]", "not-a-relation", "=="),
        ("{bounded: ¤x <= O(n)}", "[bounded]", "growth", "claims"),
        ("{bounded: '¤independent(x)'}", "[bounded]", "arity", "usage"),
        ("{bounded: 'all(x <= ¤j, i, 1, n)'}", "[bounded]", "unknown-name", "'j'"),
    ],
)
def test_slips_in_assumptions(assumptions: str, under: str, code: str, words: str) -> None:
    text = f"    assumptions: {assumptions}\n    claims: {{c: {{says: x == x, under: {under}}}}}\n"
    problem = one_problem(HEAD + text)
    assert problem.code == code
    assert words in f"{problem.message} {problem.hint}"


def test_a_draft_without_one_assumption() -> None:
    (entry, *_) = accepted(HEAD + ASSUMED).entries
    assert isinstance(entry, Ready)
    relaxed = build(entry.draft.without("small"))
    assert "small" not in [a.name for a in relaxed.assumptions]
    assert len(relaxed.assumptions) == len(entry.claim.assumptions) - 1


# --- layers and growth -----------------------------------------------------------------------------

LAYERS = """
    theorem: a/b
    symbols: {{n: dimension, d: dimension, X: "matrix(n, d)", a: positive}}
    layers:
      state: {state}
      {depth}
      symbols: {{{symbols}}}
      let: {{H: {let}}}
      next: {next}
    assumptions: {{no-layer: {assumption}}}
    claims:
      c: {{says: "{says}"{more}}}
"""
USUAL = {
    "state": "X",
    "depth": "depth: L",
    "symbols": 'W: "normal(d, d)"',
    "let": "X @ W",
    "next": "X + H",
    "assumption": "a == 1",
    "says": "norm(after(X, L)) >= 0",
    "more": "",
}


def layered(**changes: str) -> str:
    return LAYERS.format(**(USUAL | changes))


def test_layers() -> None:
    (only,) = accepted(layered()).claims
    assert only.layers is not None
    assert only.layers.state == N.Symbol("X", only.symbols["X"].shape)
    assert only.layers.depth == N.Symbol("L")
    assert [symbol.name for symbol in only.layers.symbols] == ["W"]
    assert [let.name for let in only.layers.lets] == ["H"]
    assert "L" in only.symbols
    assert "W" not in only.symbols


def test_depth_may_be_fixed_or_written_out() -> None:
    (fixed,) = accepted(layered(more=", where: {L: 3}")).claims
    fact = fixed.steps[0].fact
    assert isinstance(fact, N.Relation)
    assert [node.depth for node in _afters(fact)] == [N.Number(Fraction(3))]
    accepted(layered(says="norm(after(X, 2*L + 1)) >= 0"))
    accepted(layered(says="norm(after(X, L)) >= Omega(1)", more=", as: L -> oo"))


def _afters(part: N.Fact) -> list[N.After]:
    return [node for node in walk(part) if isinstance(node, N.After)]


def test_assumptions_may_name_the_parts_of_a_layer() -> None:
    (only,) = accepted(layered(assumption="norm(H) <= 1")).claims
    assert only.assumptions[0].constraint is not None
    assert (
        accepted(layered(assumption='"H == zeros(n, d)"')).claims[0].assumptions[0].assumed_value is not None
    )


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"state": "¤Y"}, "unknown-name"),
        ({"next": "¤X.T"}, "shape"),
        ({"next": "X + ¤Y"}, "unknown-name"),
        ({"let": "¤X @ X"}, "shape"),
        ({"depth": "depth: ¤2"}, "name"),
        ({"depth": "depth: ¤E"}, "reserved"),
        ({"says": "norm(after(¤a, L)) >= 0"}, "layers"),
        ({"says": "norm(¤H) >= 0"}, "unknown-name"),
        ({"more": ", where: {¤L: 1/2}"}, "value"),
    ],
)
def test_slips_in_layers(changes: dict[str, str], code: str) -> None:
    assert one_problem(layered(**changes)).code == code


def test_a_layer_may_not_take_a_name_from_outside() -> None:
    problem = one_problem(layered(symbols='X: "¤normal(d, d)"'))
    assert problem.code == "name-taken"


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
