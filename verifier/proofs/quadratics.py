"""Quadratic inequalities as sums of squares: the matrix of the difference, less a multiple of what is
assumed, is written as squares by completing them one after the other, exactly."""

from collections.abc import Iterator
from fractions import Fraction

from flint import fmpq

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.normal.atoms import Atom, Poly, scaled, total
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.proofs.linear import ONE, TWO, ZERO, Combination, at_most, bases, ends, given

Matrix = list[list[fmpq]]
Square = tuple[fmpq, list[fmpq]]  # a factor, and the coefficients of what is squared
NOTHING = fmpq(0)


def quadratics(context: Context, fact: Relation) -> Iterator[Proof]:
    """Candidates without an equation, and with one that takes some term of the difference away."""
    search = Combination(context, fact, False)
    names = dict(_variables(context, fact, search))
    nodes = [ONE, *names.values()]
    for equation, times, rest in _reduced(context, fact, search):
        matrix = _matrix(rest, list(names))
        squares = None if matrix is None else completed(matrix)
        if squares is None:
            continue
        premises = [Proof("sign", at_most(ZERO, N.Power(_sum(row, nodes), TWO))) for _, row in squares]
        factors = [str(factor) for factor, _ in squares]
        if equation is not None:
            premises.append(equation)
            factors.append(str(times))
        yield Proof("combine", Holds(fact), tuple(premises), {"factors": factors} if factors else {})


def _variables(context: Context, fact: Relation, search: Combination) -> Iterator[tuple[Atom, N.Node]]:
    """Numbers of the statement that the normal form takes for atoms."""
    for node in bases(context, fact):
        try:
            (powers,) = search.algebra.of_node(node).terms
        except (Rejected, ValueError):
            continue
        if len(powers) == 1 and powers[0][1] == 1:
            yield powers[0][0], node


def _reduced(
    context: Context, fact: Relation, search: Combination
) -> Iterator[tuple[Proof | None, fmpq, Poly]]:
    """The difference, and the difference less multiples of what is assumed: positive ones, save of an
    equation."""
    yield None, NOTHING, search.gap
    for proof in given(context, fact):
        try:
            poly = search.gap_of(*ends(proof)[:2])
        except Rejected:
            continue
        assert isinstance(proof.conclusion, Holds)
        equation = isinstance(proof.conclusion.fact, Relation) and proof.conclusion.fact.op == "=="
        ratios = {search.gap.terms.get(powers, NOTHING) / value for powers, value in poly.terms.items()}
        for times in sorted(ratio for ratio in ratios if ratio > 0 or (equation and ratio)):
            yield proof, times, total((search.gap, scaled(poly, -times)))


def _matrix(poly: Poly, atoms: list[Atom]) -> Matrix | None:
    """m with poly = z' m z for z = (1, atoms); None where it is no such form."""
    places = {atom: place for place, atom in enumerate(atoms, start=1)}
    found = [[NOTHING] * (len(atoms) + 1) for _ in range(len(atoms) + 1)]
    for powers, value in poly.terms.items():
        if any(atom not in places or power not in (1, 2) for atom, power in powers):
            return None
        at = [places[atom] for atom, power in powers for _ in range(int(power))]
        if len(at) > 2:
            return None
        row, col = (*[0] * (2 - len(at)), *at)
        found[row][col] += value / 2
        found[col][row] += value / 2
    return found


def completed(matrix: Matrix) -> list[Square] | None:
    """z' m z as a sum of squares with positive factors, and perhaps a positive number, which is left; None
    where there is none."""
    size = len(matrix)
    squares: list[Square] = []
    rest = [list(row) for row in matrix]
    for k in reversed(range(size)):
        pivot = rest[k][k]
        if pivot < 0 or (pivot == 0 and any(rest[k])):
            return None
        if pivot == 0 or not k:
            continue
        row = [value / pivot for value in rest[k]]
        squares.append((pivot, row))
        for i in range(size):
            for j in range(size):
                rest[i][j] -= pivot * row[i] * row[j]
    return squares


def _sum(row: list[fmpq], nodes: list[N.Node]) -> N.Node:
    found: N.Node | None = None
    for value, node in zip(row, nodes, strict=True):
        if value:
            factor = N.Number(Fraction(int(value.p), int(value.q)))
            part: N.Node = node if value == 1 else factor if node == ONE else N.Multiply(factor, node)
            found = part if found is None else N.Add(found, part)
    return found or ZERO
