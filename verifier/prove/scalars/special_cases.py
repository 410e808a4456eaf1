"""Special cases: values of the symbols at which a claim for all of them is looked at again.

Of a limit: where a leading term vanishes, or an invariant of the input is 0 (tokens that sum to zero
never align). A limit taken for generic values often fails exactly there, so a relation between limits
is also read with each such quantity set before the limit. Where the limit depends on an open sign,
the claim is read once for each sign.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from verifier.claim.model import Assumption, Claim
from verifier.evidence import Finding
from verifier.expr import nodes as n
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.prove.scalars.assumed_equalities import rules
from verifier.prove.scalars.closed_scalars import Closing
from verifier.prove.scalars.coefficient_signs import Sign, sign
from verifier.prove.scalars.exact_points import points
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.scalar_relation import Reading, gaps_of
from verifier.prove.scalars.symbol_ranges import domain
from verifier.prove.scalars.sympy_to_tree import from_sympy
from verifier.prove.scalars.tree_to_sympy import Translator
from verifier.prove.scalars.zeros import Values, sign_changes, zeros

ZERO = n.Number(Fraction(0))
PARAMETER_POINTS = 6
BROKEN: dict[str, tuple[Sign, ...]] = {
    "<": ("zero", "positive", "nonnegative"),
    ">": ("zero", "negative", "nonpositive"),
    "<=": ("positive",),
    ">=": ("negative",),
    "!=": ("zero",),
}
Case = tuple[str, Claim]


def special_claims(reading: Reading) -> list[Case]:
    """The claim with one more assumption for each way in which a condition of the limits fails, and
    for each quantity that may be 0 where the conditions are not all known. Refused if a condition may
    fail in ways that are not found."""
    cases: list[Case] = []
    for condition in reading.conditions:
        found = zeros(condition, reading.translator.spans)
        if found is None:
            raise Refused(f"the limit where {condition} is 0")
        cases += [_case(reading, values) for values in found]
    if reading.is_guess:
        cases += _usual_suspects(reading)
    return list({name: (name, claim) for name, claim in cases}.values())


def _case(reading: Reading, values: Values) -> Case:
    """These values as assumptions. Where norm(X) is 0, so is every invariant of X."""
    named: dict[n.Node, n.Node] = {reading.tree(s): reading.tree(value) for s, value in values.items()}
    atoms = reading.translator.atoms
    for whole in [node for node in _matrices(reading) if _vanishes(reading, node, values)]:
        named |= {part: ZERO for part in atoms.values() if whole in walk(part)}
    words = ", ".join(f"{to_text(node)} == {to_text(value)}" for node, value in named.items())
    facts = [n.Relation("==", node, value) for node, value in named.items()]
    return words, _assuming(reading.claim, facts)


def _matrices(reading: Reading) -> list[n.Symbol]:
    """The fixed matrices whose invariants occur."""
    parts = (part for atom in list(reading.translator.atoms.values()) for part in walk(atom))
    found = (p for p in parts if isinstance(p, n.Symbol) and not p.shape.is_scalar)
    return list(dict.fromkeys(found))


def _vanishes(reading: Reading, matrix: n.Symbol, values: Values) -> bool:
    try:
        return bool(reading.translator.read(n.Norm(matrix)).subs(values) == 0)
    except Refused:
        return False


def _usual_suspects(reading: Reading) -> Iterator[Case]:
    """A parameter or an invariant at 0, a size at 1."""
    nodes = [part for side in (reading.closed.left, reading.closed.right) for part in walk(side)]
    used = {part.name for part in nodes if isinstance(part, n.Symbol)}
    for atom in list(reading.translator.atoms):
        if isinstance(atom, sp.Symbol):
            yield _case(reading, {atom: sp.Integer(0)})
    limits = {part.variable.name for part in walk(reading.fact) if isinstance(part, n.Limit)}
    for name, span in reading.translator.spans.items():
        if name not in used or name in limits or reading.translator.substitution(name) is not None:
            continue
        if span.holds(Fraction(0)):
            yield _case(reading, {reading.translator.free(name): sp.Integer(0)})
        elif span.integer and span.low is not None:
            yield _case(reading, {reading.translator.free(name): sp.Integer(int(span.low))})


def sign_claims(claim: Claim, closed: n.Relation, expr: sp.Expr) -> list[Case]:
    """The claim once for each sign of the expression: x < c, x == c, c < x, ..."""
    spans = domain(claim, (closed.left, closed.right))
    found = sign_changes(expr, spans, gaps_of(claim, spans))
    if found is None or found[0].name not in claim.symbols:  # no case bounds an invariant
        raise Refused(f"the sign of {expr}")
    variable, marks = n.Symbol(found[0].name), [from_sympy(mark, {}) for mark in found[1]]
    cases: list[list[n.Relation]] = []
    for low, high in zip([None, *marks], [*marks, None], strict=True):
        inside = [n.Relation(">", variable, low)] if low is not None else []
        cases.append(inside + ([n.Relation("<", variable, high)] if high is not None else []))
    cases += [[n.Relation("==", variable, mark)] for mark in marks]
    words = [" and ".join(f"{variable.name} {f.op} {to_text(f.right)}" for f in facts) for facts in cases]
    return [(name, _assuming(claim, facts)) for name, facts in zip(words, cases, strict=True)]


def parameter_claims(claim: Claim, closed: n.Relation) -> Iterator[Case]:
    """The claim at a few values of its scalar symbols, those of the limits and the sizes of matrices
    left free."""
    parts = [part for side in (closed.left, closed.right) for part in walk(side)]
    free = {part.name for part in parts if isinstance(part, n.Symbol) and part.shape.is_scalar}
    free -= {part.variable.name for part in parts if isinstance(part, n.Limit)}
    free -= {found[0].name for a in claim.assumptions if (found := a.substitution) is not None}
    for part in parts:
        free -= part.shape.rows.names | part.shape.cols.names
    if not free:
        return
    for point in points(claim, (closed,), PARAMETER_POINTS):
        chosen = {name: point[name] for name in claim.symbols if name in free & point.keys()}
        values = {name: value for name, value in chosen.items() if isinstance(value, int | Fraction)}
        facts = [n.Relation("==", n.Symbol(k), n.Number(Fraction(v))) for k, v in values.items()]
        yield ", ".join(f"{k} == {v}" for k, v in values.items()), _assuming(claim, facts)


def is_empty(claim: Claim, closed: n.Relation, closing: Closing) -> bool:
    """Whether an assumed inequality is seen to be false once the others have entered it."""
    spans = domain(claim, (closed.left, closed.right))
    translator = Translator(claim, spans, rules=rules(claim, closing.closed_form))
    for fact in claim.constraints:
        if isinstance(fact, n.Relation) and fact.op in BROKEN and fact.left.shape.is_scalar:
            with suppress(Refused):
                gap = translator.read(fact.left) - translator.read(fact.right)
                if sign(sp.expand(gap), spans) in BROKEN[fact.op]:
                    return True
    return False


def _assuming(claim: Claim, facts: list[n.Relation]) -> Claim:
    added = [Assumption("special case", fact, to_text(fact), claim.position) for fact in facts]
    return replace(claim, assumptions=(*claim.assumptions, *added))


def has_limit(fact: n.Relation) -> bool:
    return any(isinstance(part, n.Limit) for part in walk(fact))


def small_powers(claim: Claim, fact: n.Fact) -> Iterator[tuple[str, Fraction]]:
    """Values of an integer symbol that stands in an exponent or is a depth, where they keep every
    assumption."""
    exponents = [p.exponent for p in walk(fact) if isinstance(p, n.Power | n.MatPower)]
    exponents += [p.depth for p in walk(fact) if isinstance(p, n.After)]
    names = {part.name for node in exponents for part in walk(node) if isinstance(part, n.Symbol)}
    growing = {symbol.name for symbol in claim.growing}
    growing |= {part.variable.name for part in walk(fact) if isinstance(part, n.Limit)}
    growing |= {
        part.by.name
        for part in walk(fact)
        if isinstance(part, n.Derivative) and isinstance(part.by, n.Symbol)
    }
    bound = {part.name for a in claim.assumptions for part in walk(a.fact) if isinstance(part, n.Symbol)}
    for name in sorted(names - growing - bound):
        if isinstance(claim.symbols[name].kind, Dimension):
            yield from ((name, Fraction(value)) for value in (1, 2, 3))


def with_value(found: Finding, name: str, value: Fraction) -> Finding:
    """The finding of a special case, its value shown in the counterexample."""
    example = found.counterexample
    if example is not None:
        example = replace(example, values={**example.values, name: int(value)})
    return replace(
        found, reason=f"{found.reason}, for {name} = {value}", counterexample=example, corrected=None
    )
