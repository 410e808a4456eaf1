"""Bounds between functions of two vectors that depend on their lengths and on the angle between them.

    |x| = a,   |y| = b,   x . y = a b r,      r in [-1, 1]

What depends on x and y through these alone, as moments of activations do, is a function of three numbers.
Homogeneity takes out the lengths: with a, b and all other positive factors as monomials,

    sum_k a**i_k b**j_k f_k(r) <= 0      if  f_k(r) <= 0 for every k,

and each f_k is a function of the angle, which interval arithmetic judges. Both sides are continuous where
they are defined, so a bound that is proved for positive lengths holds at zero too.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from verifier.claim.model import Assumption, Claim
from verifier.evidence import Finding
from verifier.expr import nodes as N
from verifier.expr.dims import ONE
from verifier.expr.symbols import Declared, FixedMatrix, Interval, Positive, Real
from verifier.expr.walk import substitute, walk
from verifier.prove.integrate.activation_moments import tidy
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import domain
from verifier.prove.scalars.sympy_to_tree import from_sympy
from verifier.prove.scalars.tree_to_sympy import Translator

Judge = Callable[[Claim, N.Relation], Finding]
Close = Callable[[N.Node], N.Node | None]
_MOST_PARTS = 4
_ZERO = N.Number(Fraction(0))


def examine_lengths(claim: Claim, fact: N.Relation, close: Close, judge: Judge) -> Finding | None:
    """The bound in lengths and an angle; None where that shows nothing."""
    vectors = _vectors(claim, fact)
    if fact.op not in ("<=", ">=") or len(vectors) > 2 or not fact.left.shape.is_scalar:
        return None
    left, right = close(fact.left), close(fact.right)
    if left is None or right is None:
        return None
    if not vectors:
        return _of_scalars(claim, N.Relation(fact.op, left, right), judge)
    made = _rewriting(claim, vectors)
    sides = [substitute(side, made.values) for side in (left, right)]
    if any(vector in walk(side) for side in sides for vector in vectors):
        return None
    try:
        relations = list(_relations(made.claim, fact.op, sides[0], sides[1]))
    except Refused:
        return None
    if not 1 <= len(relations) <= _MOST_PARTS:
        return None
    found = [judge(made.claim, relation) for relation in relations]
    if any(f.truth != "true" or f.grade is None for f in found):
        return None
    tightness = found[0].tightness if len(found) == 1 and relations[0].right != _ZERO else None
    if tightness is not None:  # what it says of lengths is not in the claim's own language
        tightness = replace(tightness, better=None, where=None)
    proved = all(f.grade == "proved" for f in found)
    reason = f"in lengths and angles; {found[0].reason}"
    return Finding(
        "symbolic", "true", grade="proved" if proved else "certified", reason=reason, tightness=tightness
    )


def _of_scalars(claim: Claim, closed: N.Relation, judge: Judge) -> Finding | None:
    """Closed forms that hold scalars alone, as functions of these."""
    averages = (N.Expectation, N.Variance, N.Covariance)
    if any(isinstance(x, averages) or not x.shape.is_scalar for x in walk(closed)):
        return None
    scaled = next(_in_units(claim, closed), None)
    found = judge(claim, scaled or closed)
    if found.truth != "true" or found.grade is None:
        return None
    if scaled is not None:  # its numbers are ratios, which the claim does not name
        near = found.tightness and replace(found.tightness, better=None, where=None, note=None)
        return Finding("symbolic", "true", found.grade, "in ratios of the closed forms", tightness=near)
    return replace(found, engine="symbolic", reason=f"of the closed forms; {found.reason}")


def _in_units(claim: Claim, closed: N.Relation) -> Iterator[N.Relation]:
    """The relation in ratios c/s, where it depends on nothing else: c = s c' and s drops out."""
    names = {x for x in walk(closed) if isinstance(x, N.Symbol)}
    kinds = {x: claim.symbols[x.name].kind for x in names if x.name in claim.symbols}
    free = all(isinstance(kind, Real | Positive) for kind in kinds.values())
    if claim.assumptions or not free or not 2 <= len(names) <= 3:
        return
    for unit in sorted((x for x, kind in kinds.items() if isinstance(kind, Positive)), key=lambda x: x.name):
        scaled: dict[N.Node, N.Node] = {x: N.Multiply(x, unit) for x in names if x != unit}
        try:
            found = list(
                _relations(claim, closed.op, *(substitute(x, scaled) for x in (closed.left, closed.right)))
            )
        except Refused:
            continue
        if len(found) == 1 and unit not in walk(found[0]):
            yield found[0]


@dataclass(frozen=True)
class Rewriting:
    """The claim with lengths and a cosine for symbols, and what they stand for."""

    claim: Claim
    values: dict[N.Node, N.Node]


def _vectors(claim: Claim, fact: N.Relation) -> list[N.Symbol]:
    """The fixed vectors of the relation of which nothing is assumed but a length."""
    assumed = {x for a in claim.assumptions if _length(a) is None for x in walk(a.fact)}
    found = [x for side in (fact.left, fact.right) for x in walk(side) if isinstance(x, N.Symbol)]
    return [
        x
        for x in dict.fromkeys(found)
        if x not in assumed
        and x.shape.cols == ONE
        and not x.shape.is_scalar
        and isinstance(kind := claim.symbols[x.name].kind, FixedMatrix)
        and kind.family in ("matrix", "vector")
    ]


def _length(assumption: Assumption) -> tuple[N.Node, N.Number] | None:
    """x and a of norm(x) == a, for a number a > 0"""
    match assumption.fact:
        case N.Relation("==", N.Norm(N.Symbol() as x, "fro"), N.Number(value) as length) if value > 0:
            return x, length
    return None


def _rewriting(claim: Claim, vectors: list[N.Symbol]) -> Rewriting:
    unit = Interval(N.Number(Fraction(-1)), N.Number(Fraction(1)))
    gone = {vector.name for vector in vectors}
    symbols = {name: kind for name, kind in claim.symbols.items() if name not in gone}
    known = dict(found for a in claim.assumptions if (found := _length(a)) is not None)
    lengths: list[N.Node] = []
    for vector in vectors:
        length = known.get(vector) or N.Symbol(_unused(claim, f"length_{vector.name}"))
        if isinstance(length, N.Symbol):
            symbols[length.name] = Declared(length.name, Positive(), length.shape)
        lengths.append(length)
    cosine = N.Symbol(_unused(claim, "cosine"))
    symbols[cosine.name] = Declared(cosine.name, unit, cosine.shape)
    values: dict[N.Node, N.Node] = {}
    for u, a in zip(vectors, lengths, strict=True):
        values[N.Norm(u)] = a
        for v, b in zip(vectors, lengths, strict=True):
            joint = N.Multiply(a, b) if u == v else N.Multiply(cosine, N.Multiply(a, b))
            values |= {N.MatMul(N.Transpose(u), v): joint, N.Inner(u, v): joint}
    kept = tuple(a for a in claim.assumptions if (found := _length(a)) is None or found[0] not in vectors)
    return Rewriting(replace(claim, symbols=symbols, assumptions=kept, layers=None), values)


def _unused(claim: Claim, name: str) -> str:
    while name in claim.symbols:
        name += "_"
    return name


def _relations(claim: Claim, op: N.Comparison, left: N.Node, right: N.Node) -> Iterator[N.Relation]:
    """The relation without the monomial that both sides share, or one for each monomial of the difference."""
    translator = Translator(claim, domain(claim, (left, right)))
    sides = [sp.expand(tidy(translator.read(side))) for side in (left, right)]
    free = [s for s in sides[0].free_symbols | sides[1].free_symbols if s.is_positive]
    scales = sorted((s for s in free if all(_is_power(side, s) for side in sides)), key=str)
    parts = [_by_monomial(side, scales) for side in sides]
    if len(parts[0]) == len(parts[1]) == 1 and parts[0].keys() == parts[1].keys():
        ((monomial, first),) = parts[0].items()
        trees = [from_sympy(value, translator.atoms) for value in (first, parts[1][monomial])]
        yield N.Relation(op, trees[0], trees[1])
        return
    for value in _by_monomial(sp.expand(sides[0] - sides[1]), scales).values():
        yield N.Relation(op, from_sympy(value, translator.atoms), _ZERO)


def _is_power(value: sp.Expr, scale: sp.Symbol) -> bool:
    """Whether each term is a rational power of the symbol, times what is free of it."""
    return all(
        scale not in factor.free_symbols
        or (factor.as_base_exp()[0] == scale and factor.as_base_exp()[1].is_Rational)
        for term in sp.Add.make_args(value)
        for factor in sp.Mul.make_args(term)
    )


def _by_monomial(value: sp.Expr, scales: list[sp.Symbol]) -> dict[sp.Expr, sp.Expr]:
    found: dict[sp.Expr, sp.Expr] = defaultdict(lambda: sp.Integer(0))
    for term in sp.Add.make_args(value):
        rest, monomial = term.as_independent(*scales, as_Add=False) if scales else (term, sp.Integer(1))
        found[monomial] += rest
    return {monomial: rest for monomial, rest in found.items() if rest != 0}
