"""Special cases: values of the symbols at which a claim for all of them is looked at again.

Of a limit: a parameter or an invariant of the input that is 0, a size that is 1.

A limit taken for generic values often fails exactly there (tokens that sum to zero never align), so
a relation between limits is also read with each such quantity set before the limit.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim
from verifier.evidence import Finding
from verifier.expr import nodes as n
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.symbolic.scalar.reading import Reading

ZERO = n.Number(Fraction(0))


def special_claims(reading: Reading) -> Iterator[tuple[str, Claim]]:
    """The claim with one more assumption: a quantity at its special value."""
    nodes = [part for side in (reading.closed.left, reading.closed.right) for part in walk(side)]
    used = {part.name for part in nodes if isinstance(part, n.Symbol)}
    atoms = list(dict.fromkeys(reading.translator.atoms.values()))
    for atom in atoms:
        if isinstance(atom, n.Norm) and isinstance(atom.arg, n.Symbol):
            same = [other for other in atoms if atom.arg in walk(other)]
            yield f"{to_text(atom)} == 0", _with(reading.claim, same)
        else:
            yield f"{to_text(atom)} == 0", _with(reading.claim, [atom])
    limits = {part.variable.name for part in walk(reading.fact) if isinstance(part, n.Limit)}
    for name, span in reading.translator.spans.items():
        if name not in used or name in limits or reading.translator.substitution(name) is not None:
            continue
        if span.holds(Fraction(0)):
            yield f"{name} == 0", _with(reading.claim, [n.Symbol(name)])
        elif span.integer and span.low is not None:
            yield f"{name} == {span.low}", _with(reading.claim, [n.Symbol(name)], n.Number(span.low))


def _with(claim: Claim, nodes: list[n.Node], value: n.Node = ZERO) -> Claim:
    facts = [n.Relation("==", node, value) for node in nodes]
    added = [Assumption("special case", fact, to_text(fact), claim.position) for fact in facts]
    return replace(claim, assumptions=(*claim.assumptions, *added))


def has_limit(fact: n.Relation) -> bool:
    return any(isinstance(part, n.Limit) for part in walk(fact))


def small_powers(claim: Claim, fact: n.Fact) -> Iterator[tuple[str, Fraction]]:
    """Values of an integer symbol that stands in an exponent, where they keep every assumption."""
    exponents = [p.exponent for p in walk(fact) if isinstance(p, n.Power | n.MatPower)]
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
        example = replace(example, values={name: int(value), **example.values})
    return replace(
        found, reason=f"{found.reason}, for {name} = {value}", counterexample=example, corrected=None
    )
