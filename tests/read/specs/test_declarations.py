"""Symbols: what each kind is, sizes modulo assumed equalities, and values that fit."""

from fractions import Fraction

import pytest

from tests.read.specs.marks import accepted, one_problem, refused
from verifier.claim.model import Claim
from verifier.expr import symbols as K
from verifier.expr.nodes import Number


def claim_with(declaration: str, says: str = "1 == 1") -> Claim:
    head = "theorem: a/b\nsymbols:\n  n: dimension\n  m: dimension\n  s: positive\n  C: psd(n)\n"
    return accepted(f"{head}  y: {declaration}\nclaims:\n  c:\n    says: {says}\n").claims[0]


@pytest.mark.parametrize(
    ("declaration", "kind", "shape"),
    [
        ("dimension", K.Dimension, "1-by-1"),
        ("index(n)", K.IndexOf, "1-by-1"),
        ("integer", K.Integer, "1-by-1"),
        ("real", K.Real, "1-by-1"),
        ("positive", K.Positive, "1-by-1"),
        ("interval(0, s)", K.Interval, "1-by-1"),
        ("interval(-oo, oo)", K.Interval, "1-by-1"),
        ("matrix(n, 2*m + 1)", K.FixedMatrix, "n-by-2*m + 1"),
        ("vector(n**2)", K.FixedMatrix, "n**2-by-1"),
        ("simplex(n)", K.FixedMatrix, "n-by-1"),
        ("stochastic(n, m)", K.FixedMatrix, "n-by-m"),
        ("symmetric(n)", K.FixedMatrix, "n-by-n"),
        ("psd(3)", K.FixedMatrix, "3-by-3"),
        ("orthogonal(n)", K.FixedMatrix, "n-by-n"),
        ("normal(n, m, std=1/sqrt(n))", K.Normal, "n-by-m"),
        ("normal(n, cov=C)", K.Normal, "n-by-1"),
        ("normal", K.Normal, "1-by-1"),
        ("rademacher(n)", K.Rademacher, "n-by-1"),
        ("bernoulli(n, 1/2)", K.Bernoulli, "n-by-1"),
        ("uniform(n, m, -1, 1)", K.Uniform, "n-by-m"),
        ("uniform(0, 1)", K.Uniform, "1-by-1"),
        ("iid(n, m, mean=0, var=s)", K.Iid, "n-by-m"),
        ("random(n, mean=1)", K.AnyLaw, "n-by-1"),
    ],
)
def test_kinds(declaration: str, kind: type[K.Kind], shape: str) -> None:
    declared = claim_with(declaration).symbols["y"]
    assert type(declared.kind) is kind
    assert str(declared.shape) == shape
    assert declared.copies is None


def test_moments_that_are_not_stated_are_unknown() -> None:
    assert claim_with("iid(n, m)").symbols["y"].kind == K.Iid(None, None)
    assert claim_with("iid(n, m, var=1)").symbols["y"].kind == K.Iid(None, Number(Fraction(1)))
    assert claim_with("random(n)").symbols["y"].kind == K.AnyLaw(None)
    assert claim_with("normal(n)").symbols["y"].kind == K.Normal(Number(Fraction(0)), Number(Fraction(1)))


def test_families() -> None:
    declared = claim_with("normal(n, m, copies=2*m)", '"norm(y[1]) == norm(y[1])"').symbols["y"]
    assert str(declared.copies) == "2*m"


@pytest.mark.parametrize(
    ("declaration", "code", "words"),
    [
        ("¤matrx(n, m)", "unknown-kind", "'matrix'"),
        ("¤matrix(n)", "arity", "matrix(n, m)"),
        ("¤real(2)", "arity", "usage: real"),
        ("matrix(n, ¤k)", "unknown-name", "'k'"),
        ("matrix(n, ¤s)", "not-a-dimension", "dimension symbols"),
        ("matrix(n, ¤1/2)", "not-a-dimension", "dimension symbols"),
        ("matrix(n, ¤n - n)", "not-a-dimension", "at least 1"),
        ("matrix(n, ¤0)", "not-a-dimension", "at least 1"),
        ("normal(n, ¤sdt=1)", "declaration", "'std'"),
        ("rademacher(n, ¤std=1)", "declaration", "usage"),
        ("normal(n, std=¤-1)", "declaration", "not negative"),
        ("normal(n, m, row_corr=¤3/2)", "declaration", "between -1 and 1"),
        ("normal(n, m, row_corr=¤-2)", "declaration", "between -1 and 1"),
        ("iid(n, mean=0, var=¤-1/2)", "declaration", "not negative"),
        ("¤uniform(n, 2, 1)", "declaration", "low end first"),
        ("¤interval(1, -1)", "declaration", "low end first"),
        ("normal(n, std=¤C)", "shape", "n-by-n"),
        ("normal(n, m, mean=¤C)", "shape", "n-by-n"),
        ("normal(m, cov=¤C)", "shape", "n-by-n"),
        ("normal(n, m, cov=¤C)", "declaration", "vectors"),
        ("normal(n, std=1, cov=¤C)", "declaration", "both"),
        ("normal(std=¤z)", "declaration", "random"),
        ("normal(std=¤y)", "circular", "itself"),
        ("¤interval(2, 1)", "declaration", "empty"),
        ("interval(0, ¤oo + 1)", "infinity", "oo"),
        ("¤n + 1", "declaration", "matrix(n, m)"),
        ("matrix(n, m¤", "syntax", "close"),
    ],
)
def test_slips(declaration: str, code: str, words: str) -> None:
    problem = one_problem(f"""
        theorem: a/b
        symbols:
          n: dimension
          m: dimension
          s: positive
          z: normal
          C: psd(n)
          y: {declaration}
        claims: {{c: {{says: 1 == 1}}}}
        """)
    assert problem.code == code
    assert words in f"{problem.message} {problem.hint}"


def test_all_wrong_symbols_at_once() -> None:
    problems = refused("""
        theorem: a/b
        symbols:
          n: ¤dimensoin
          A: matrix(n, m)
          B: ¤matrices(n, n)
        claims: {c: {says: 1 == 1}}
        """)
    assert [problem.code for problem in problems] == ["unknown-kind", "unknown-kind"]
    problems = refused("""
        theorem: a/b
        symbols:
          n: dimension
          A: matrix(n, ¤k)
          B: ¤matrix(n)
        claims: {c: {says: 1 == 1}}
        """)
    assert [problem.code for problem in problems] == ["unknown-name", "arity"]


def test_the_order_of_symbols_does_not_matter() -> None:
    loaded = accepted("""
        theorem: a/b
        symbols:
          A: normal(n, m, std=s)
          s: positive
          n: dimension
          m: dimension
        claims: {c: {says: E(norm(A)**2) == n * m * s**2}}
        """)
    assert list(loaded.claims[0].symbols) == ["A", "s", "n", "m"]


SIZES = """
    theorem: a/b
    symbols:
      n: dimension
      m: dimension
      k: dimension
      A: matrix(n, m)
      B: matrix(k, n)
    assumptions:
{assumptions}
    claims:
      c:
        {claim}
    """


@pytest.mark.parametrize(
    ("assumptions", "says"),
    [
        (["a: m == k"], "norm(A @ B) >= 0"),
        (["a: k == m"], "norm(A @ B) >= 0"),
        (["a: m == 2*n", "b: k == 2*n"], "norm(A @ B) >= 0"),
        (["a: k == n", "b: m == k"], "tr(A) == tr(B)"),
        (["a: m == k", "b: k == n"], "tr(A) == tr(B)"),
        (["a: m == 3", "b: k == 3"], "norm(A @ B) >= 0"),
        (["a: 2*n == m", "b: k == m"], "norm(A @ B) >= 0"),
    ],
)
def test_sizes_are_compared_modulo_assumptions(assumptions: list[str], says: str) -> None:
    lines = "\n".join(f"      {line}" for line in assumptions)
    accepted(SIZES.format(assumptions=lines, claim=f"says: {says}"))
    product = "A @ B" in says
    says = says.replace("A @ B", "¤A @ B") if product else says.replace("tr(A)", "¤tr(A)")
    dropped = SIZES.format(assumptions=lines, claim=f"{{says: {says}, under: []}}")
    problem = one_problem(dropped)
    assert problem.code == "shape"
    assert "n-by-m" in problem.message
    assert ("k-by-n" in problem.message) == product


def test_values_make_sizes_too() -> None:
    accepted(
        SIZES.format(assumptions="      a: n == n", claim="{says: norm(A @ B) >= 0, where: {m: 2, k: 2}}")
    )


@pytest.mark.parametrize(
    ("symbol", "value"),
    [
        ("dimension", "0"),
        ("dimension", "1/2"),
        ("dimension", "-3"),
        ("index(3)", "0"),
        ("integer", "0.5"),
        ("positive", "0"),
        ("positive", "-1"),
        ("interval(0, 1)", "1.5"),
        ("interval(0, oo)", "-1"),
        ("vector(2)", "1"),
        ("normal", "1"),
    ],
)
def test_a_value_outside_its_symbol_is_refused_where_it_is_given(symbol: str, value: str) -> None:
    for key in (f"where: {{¤y: {value}}}", f"each: {{¤y: [{value}]}}"):
        problem = one_problem(f"""
            theorem: a/b
            symbols:
              y: {symbol}
            claims:
              c:
                says: 1 == 1
                {key}
            """)
        assert problem.code == "value"


@pytest.mark.parametrize(("symbol", "value"), [("real", "-1/2"), ("interval(0, 1)", "1"), ("integer", "-3")])
def test_values_that_fit(symbol: str, value: str) -> None:
    accepted(
        f"theorem: a/b\nsymbols:\n  y: {symbol}\nclaims: {{c: {{says: y == y, where: {{y: {value}}}}}}}\n"
    )


def test_an_index_beyond_its_size_is_refused() -> None:
    head = "theorem: a/b\nsymbols: {n: dimension, i: index(n)}\nclaims:\n"
    text = head + "  c: {says: i == i, where: {¤i: %s, n: 3}}"
    assert one_problem(text % 4).code == "value"
    accepted(text.replace("¤", "") % 3)


@pytest.mark.parametrize(
    ("symbol", "words", "remedy"),
    [
        ("matrix(2, 2)", "is not one number", "`fixed: y == ...`"),
        ("normal()", "is random", ""),
        ("function(2)", "is a function", ""),
    ],
)
def test_what_is_no_number_is_not_fixed_by_where(symbol: str, words: str, remedy: str) -> None:
    problem = one_problem(f"""
        theorem: a/b
        symbols: {{x: real, y: "{symbol}"}}
        claims:
          c: {{says: x == x, where: {{¤y: 0}}}}
        """)
    assert problem.code == "value"
    assert words in problem.message
    assert remedy in (problem.hint or "")
