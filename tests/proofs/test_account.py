"""What is told of a computation: each expression that is shown is the side that it stands for."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from verifier.claim.model import Claim
from verifier.evidence import Counterexample
from verifier.expr.nodes import Add, Limit, Node, Number, Relation
from verifier.expr.text import to_text
from verifier.kernel.judgement import Fails, Holds
from verifier.kernel.normal.equal import equal_entries
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.proofs.account import account, told_at
from verifier.proofs.statement import context_of
from verifier.read.specs.load import load_text

SPEC = """
schema: 1
theorem: toy/told
symbols:
  n: dimension
  d: dimension
  s: positive
  x: real
  k: real
  X: matrix(n, d)
  u: vector(d)
  W: normal(d, d, std=s)
  w: normal(d, std=s)
  v: normal(d)
let: {A: softmax(X @ X.T)}
assumptions:
  uniform: A == ones(n, n) / n
claims:
  square:
    says: E(norm(X @ W)**2) == d*s**2*norm(X)**2
    under: []
  slope:
    says: E(norm(D(A @ X @ W, W))**2) == d/n*norm(X.T @ ones(n))**2
  gram:
    says: E(W @ W.T) == d*s**2*eye(d)
    under: []
  product:
    says: u.T @ u*k == k*norm(u)**2
    under: []
  given:
    says: E(E(w.T @ v, given=v)**2) == 0
    under: []
  difference:
    says: x**2 + k**2 >= -x**2
    under: []
  growth:
    says: (n + 1)**2 <= O(n**2)
    as: n -> oo
    under: []
  ratio:
    says: limit((2*n + 1)**2/n**2, n, oo) == 4
    under: []
  wrong:
    says: x**2 >= x
    under: []
  matrix:
    says: X == ones(n, d)
    under: []
"""


@pytest.fixture(scope="module")
def claims() -> dict[str, Claim]:
    return {claim.id.partition("#")[2]: claim for claim in load_text(SPEC, "toy.yaml").claims}


def told(claim: Claim, rule: str, **data: object) -> list[tuple[str, str]]:
    return [
        (item.words, "" if item.tree is None else to_text(item.tree)) for item in _account(claim, rule, data)
    ]


def _account(claim: Claim, rule: str, data: dict[str, object]):  # type: ignore[no-untyped-def]
    fact = claim.steps[0].fact
    goal = Fails(fact) if rule in ("point", "family") else Holds(fact)
    return account(context_of(claim), Proof(rule, goal, (), data))


def shown(claim: Claim) -> Iterator[tuple[Node, Node]]:
    """Each side with each tree that is told of it."""
    fact = claim.steps[0].fact
    for item in _account(claim, "contract", {}):
        side = fact.left if item.words.startswith("The left side") else fact.right
        if item.tree is not None and "indicator" not in to_text(item.tree):
            yield side, item.tree


@pytest.mark.parametrize("name", ["square", "slope", "given"])
def test_what_is_shown_equals_its_side(claims: dict[str, Claim], name: str) -> None:
    pairs = list(shown(claims[name]))
    assert pairs
    for side, tree in pairs:
        equal_entries(context_of(claims[name]), Relation("==", side, tree))
        with pytest.raises(Rejected):
            equal_entries(context_of(claims[name]), Relation("==", side, Add(tree, Number(Fraction(1)))))


def test_both_sides_come_to_one_form(claims: dict[str, Claim]) -> None:
    left, end, same = told(claims["square"], "contract")
    assert left[0] == "The left side, entry by entry, is"
    assert left[1].startswith("E(sum(")
    assert end[0] == "The left side comes to"
    assert end[1] == "d*s**2*sum(X[j, i]**2, i, 1, d, j, 1, n)"
    assert same == ("The right side comes to the same.", "")


def test_entries_of_a_matrix_have_the_first_letters(claims: dict[str, Claim]) -> None:
    texts = [text for _, text in told(claims["gram"], "contract")]
    assert any("W[i, l]*W[j, l]" in text for text in texts)
    assert any("indicator(i == j)" in text for text in texts)


def test_a_letter_of_the_claim_is_no_index(claims: dict[str, Claim]) -> None:
    for name in ("square", "gram", "product", "slope"):
        assert not any(", k, 1" in text for _, text in told(claims[name], "contract"))


def test_a_difference_is_told_term_by_term(claims: dict[str, Claim]) -> None:
    (line,) = told(claims["difference"], "sign")
    assert line[0] == "The larger side less the smaller is"
    assert line[1] in ("2*x**2 + k**2", "k**2 + 2*x**2")


@pytest.mark.parametrize(("name", "rule"), [("growth", "monomials"), ("ratio", "tends")])
def test_what_grows_is_told_term_by_term(claims: dict[str, Claim], name: str, rule: str) -> None:
    claim = claims[name]
    (item,) = _account(claim, rule, {})
    left = claim.steps[0].fact.left
    side = left.body if isinstance(left, Limit) else left
    equal_entries(context_of(claim), Relation("==", side, item.tree))


def test_a_point_says_what_the_relation_reads(claims: dict[str, Claim]) -> None:
    ((words, _),) = told(claims["wrong"], "point", point={"x": "1/2"})
    assert words == "There the relation reads 1/4 ≥ 1/2, and that is false."
    ((words, _),) = told(claims["matrix"], "point", point={"n": "1", "d": "2", "X": [["1", "3"]]})
    assert words == "There the relation in row 1 and column 2 reads 3 = 1, and that is false."


def test_a_point_that_somebody_evaluated_is_not_evaluated_again(claims: dict[str, Claim]) -> None:
    fact = claims["wrong"].steps[0].fact
    step = Proof("point", Fails(fact), (), {"point": {"x": "1/2"}})
    known = Counterexample({"x": "1/2"}, 0.25, 0.5, "1/4", "1/2")
    assert told_at(step, known) == account(context_of(claims["wrong"]), step)[0]
    assert told_at(step, Counterexample({"x": "1/2"}, 0.25, 0.5)) is None
    assert told_at(Proof("family", Fails(fact)), known) is None
    assert told_at(Proof("point", Fails(claims["growth"].steps[0].fact)), known) is None


@pytest.mark.parametrize(
    ("name", "rule", "data"),
    [
        ("wrong", "point", {"point": {"x": "2"}}),  # true there
        ("growth", "contract", {}),  # no equation
        ("matrix", "contract", {}),  # no equal sides
        ("wrong", "point", {"nonsense": 1}),
        ("square", "sign", {}),
        ("wrong", "made-up", {}),
    ],
)
def test_what_was_not_worked_out_is_not_told(
    claims: dict[str, Claim], name: str, rule: str, data: dict[str, object]
) -> None:
    assert told(claims[name], rule, **data) == []


def test_a_cover_says_into_how_many_parts(claims: dict[str, Claim]) -> None:
    parts = [{"split": ["x", "0"]}, "bound", "bound"]
    assert told(claims["wrong"], "cover", cover=parts) == [("The region is cut into 2 parts.", "")]
    assert told(claims["wrong"], "cover", cover=["bound"]) == []
