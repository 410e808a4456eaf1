"""What the kernel worked out where a step of a proof computes: told to readers, and no part of any proof.

An equation has the sides as they stand entry by entry and their common normal form; an inequality that shows
by its terms has the difference; a point has the values of both sides there.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import lcm
from typing import get_args

from flint import fmpq

from verifier.evidence import Counterexample
from verifier.expr.nodes import Growth, Limit, Node, Relation, Subtract, Within
from verifier.expr.text import to_text
from verifier.kernel.context import Context
from verifier.kernel.core.settle import settled
from verifier.kernel.core.terms import Term, times
from verifier.kernel.core.unroll import unrolled
from verifier.kernel.judgement import Fails, Holds
from verifier.kernel.normal.atoms import Poly, scaled
from verifier.kernel.normal.equal import Mode, algebra_of, is_equal, positions
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.points.fails import fails_at
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.proofs.trees import Trees

SIGNS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥", "<": "<", ">": ">"}
MOST_STEPS = 60_000  # of the kernel's work, for each side


@dataclass(frozen=True)
class Told:
    """Words, and the expression that they introduce."""

    words: str
    tree: Node | None = None


def account(context: Context, step: Proof) -> tuple[Told, ...]:
    """What was worked out in this step; nothing where it only puts premises together, or where that cannot be
    told: no report fails for it."""
    tell = ACCOUNTS.get(step.rule)
    if tell is None:
        return ()
    found: list[Told] = []
    with suppress(Exception):
        found += tell(context, step)
    return tuple(found)


def _equation(context: Context, step: Proof) -> Iterator[Told]:
    """Both sides entry by entry, and the normal form that they share."""
    match step.conclusion:
        case Holds(Relation("==") as fact):
            with suppress(Rejected):
                context, fact = unrolled(context, fact)
            mode = next((mode for mode in get_args(Mode) if _shows(context, fact, mode)), None)
            if mode is None:
                return
            left, right = (_Side(context, fact, side, mode) for side in (fact.left, fact.right))
            yield from left.told("The left side")
            yield from right.told("The right side", left.tree is not None and _alike(left.tree, right.tree))


def _shows(context: Context, fact: Relation, mode: Mode) -> bool:
    try:
        return is_equal(context, fact, mode)
    except Rejected:
        return False


def _difference(context: Context, step: Proof) -> Iterator[Told]:
    """What the larger side has beyond the smaller, term by term."""
    match step.conclusion:
        case Holds(Relation("<=" | "<", small, large)) | Holds(Relation(">=" | ">", large, small)):
            gap = _Side(context, Relation("<=", small, large), Subtract(large, small))
            if gap.tree is not None and gap.tree not in (large, Subtract(large, small)):
                yield Told("The larger side less the smaller is", gap.tree)


def _terms(context: Context, step: Proof) -> Iterator[Told]:
    """What grows or tends, term by term."""
    match step.conclusion:
        case Holds(Relation(_, left)) | Fails(Relation(_, left)):
            inner = left.body if isinstance(left, Limit) else left
            side = _Side(context, Relation("==", inner, inner), inner)
            if side.tree is not None and side.tree != inner:
                yield Told("Term by term the left side is", side.tree)


def _values(context: Context, step: Proof) -> Iterator[Told]:
    """Both sides at the point."""
    match step.conclusion:
        case Fails(Relation() | Within() as fact):
            data = {key: value for key, value in step.data.items() if key != "exact"}
            found = fails_at(context, fact, data)
            at = "" if found.entry is None else " in row {} and column {}".format(*found.entry)
            sure = "" if found.exact else ", by enclosures"
            relation = f"{found.left} {SIGNS[found.op]} {found.right}".replace("+/-", "±")
            yield Told(_reads(relation, at, sure))


def told_at(step: Proof, found: Counterexample) -> Told | None:
    """The same where somebody has evaluated both sides exactly, which takes longer than all else here."""
    match step.conclusion:
        case Fails(Relation(op, _, right)) if step.rule == "point" and not isinstance(right, Growth):
            if found.lhs_exact is not None and found.rhs_exact is not None:
                return Told(_reads(f"{found.lhs_exact} {SIGNS[op]} {found.rhs_exact}"))
    return None


def _reads(relation: str, where: str = "", how: str = "") -> str:
    return f"There the relation{where} reads {relation}{how}, and that is false."


def _parts(context: Context, step: Proof) -> Iterator[Told]:
    """Into how many parts the region is cut."""
    parts = step.data.get("cover")
    count = (
        sum(not isinstance(part, dict) or "split" not in part for part in parts)
        if isinstance(parts, list)
        else 0
    )
    if count > 1:
        yield Told(f"The region is cut into {count} parts.")


@dataclass
class _Side:
    """One side of a relation: entry by entry, and as its normal form."""

    context: Context
    fact: Relation
    node: Node
    mode: Mode = "plain"
    entries: Node | None = None
    tree: Node | None = None

    def __post_init__(self) -> None:
        algebra = algebra_of(self.context, self.mode)
        algebra.budget.left = MOST_STEPS
        row, col = positions(algebra, (self.fact.left, self.fact.right))
        at = ((), ()) if self.node.shape.is_scalar else (row, col)
        core = settled(algebra.reader, algebra.reader.entry(self.node, *at))
        taken = (
            algebra.context.symbols.keys()
            | self.context.reach(self.fact.left)
            | self.context.reach(self.fact.right)
        )
        place = [name for position in (*row, *col) for name in position.names]
        self.entries = _tree(Trees(algebra.context, taken, place), core)
        self.tree = _tree(Trees(algebra.context, taken, place), _factored(algebra, algebra.normal(core)))

    def told(self, name: str, same: bool = False) -> Iterator[Told]:
        """`same`: as the other side's normal form, which stands above."""
        if self.entries is not None and not any(
            _alike(self.entries, other) for other in (self.node, self.tree)
        ):
            yield Told(f"{name}, entry by entry, is", self.entries)
        if same:
            yield Told(f"{name} comes to the same.")
        elif self.tree is not None and self.tree != self.node:
            yield Told(f"{name} comes to", self.tree)


def _alike(left: Node, right: Node | None) -> bool:
    """Whether they read alike: equal but for the order of factors and the names of indices."""
    return right is not None and sorted(to_text(left)) == sorted(to_text(right))


def _factored(algebra: ZeroTest, poly: Poly) -> Term:
    """What all terms share, times the rest with whole coefficients, most of which are not negative."""
    if len(poly.terms) < 2:
        return algebra.term_of(poly)
    outer, inner = algebra.content(poly)
    size = lcm(*(int(value.q) for value in inner.terms.values()))
    less = 2 * sum(value < 0 for value in inner.terms.values()) - len(inner.terms)
    turns = less > 0 or (less == 0 and any(value < 0 for value in outer.terms.values()))
    factor = fmpq(-size if turns else size)
    return times(algebra.term_of(scaled(outer, 1 / factor)), algebra.term_of(scaled(inner, factor)))


def _tree(trees: Trees, term: Term) -> Node | None:
    try:
        return trees.of(term)
    except Rejected:
        return None


ACCOUNTS: Mapping[str, Callable[[Context, Proof], Iterator[Told]]] = {
    "contract": _equation,
    "sign": _difference,
    "monomials": _terms,
    "tends": _terms,
    "family": _terms,
    "point": _values,
    "cover": _parts,
}
