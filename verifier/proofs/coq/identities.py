"""Equations of normal forms: field identities."""

from verifier.expr.nodes import Relation, Within
from verifier.kernel.context import Context
from verifier.kernel.core.unroll import unrolled
from verifier.kernel.normal.atoms import Inverse, Poly
from verifier.kernel.normal.equal import Mode, algebra_of, is_equal
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected
from verifier.proofs.coq.leaf import Theorem
from verifier.proofs.coq.real import Names, Shower, bounded, cleared, minus


def of_equation(context: Context, fact: Relation | Within) -> Theorem:
    """Both sides as the author wrote them, with sums, means and functions as variables, are one number.

    Only what follows from the laws of a field is written: where the kernel used more (an assumed equation,
    that a sum telescopes), this is `Rejected`."""
    if not isinstance(fact, Relation) or fact.op != "==":
        raise Rejected("outside", "no equation")
    inside, plain = unrolled(context, fact)
    modes: tuple[Mode, ...] = ("plain", "expands")
    for mode in modes:
        if is_equal(inside, plain, mode):
            return _identity(algebra_of(inside, mode), plain)
    raise Rejected("differs", "the kernel needs more than the laws of a field")


def _identity(algebra: ZeroTest, fact: Relation) -> Theorem:
    shower = Shower(algebra)
    shower.over((fact.left, fact.right))
    left, right = shower.node(fact.left), shower.node(fact.right)
    if not is_field_identity(minus(left.value, right.value)):
        raise Rejected("differs", "more than the laws of a field")
    names = Names([*left.polys(), *right.polys()])
    conclusion = bounded(f"{left.written(names)} = {right.written(names)}")
    return Theorem(
        "ring", "contract", tuple(names.known.values()), hypotheses(names), conclusion, by_field(names),
        tuple(names.comments),
    )  # fmt: skip


def is_field_identity(poly: Poly) -> bool:
    """Whether it is 0 once denominators are multiplied out, whatever its atoms are."""
    while inverses := sorted((a for a in poly.atoms() if isinstance(a, Inverse)), key=lambda each: each.key):
        poly = cleared(poly, inverses[0])
    return not poly.terms


def hypotheses(names: Names) -> tuple[tuple[str, str], ...]:
    apart = [(f"N{at}", f"{text} <> 0") for at, text in enumerate(names.nonzero, 1)]
    return (*apart, *((f"R{at}", text) for at, text in enumerate(names.equations, 1)))


def by_field(names: Names) -> str:
    """The decision procedure for identities, which uses equations as rules from left to right."""
    using = f" [{' '.join(f'R{at}' for at in range(1, len(names.equations) + 1))}]" if names.equations else ""
    return f"field{using}; repeat split; nonzero"
