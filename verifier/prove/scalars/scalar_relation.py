"""One relation, read: both sides as closed trees and as SymPy expressions over one vocabulary."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import sympy as sp

from verifier.claim.model import Assumption, Claim
from verifier.evidence import Counterexample, Finding, Grade, Tightness, Truth
from verifier.expr import nodes as n
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.prove.limits import limit_values as limits
from verifier.prove.scalars.assumed_equalities import rules
from verifier.prove.scalars.assumed_gaps import Gap
from verifier.prove.scalars.closed_scalars import Closing
from verifier.prove.scalars.identically_zero import simplest
from verifier.prove.scalars.scalar_refusal import Clock, Refused, Undefined
from verifier.prove.scalars.symbol_ranges import Span, domain
from verifier.prove.scalars.sympy_to_tree import from_sympy
from verifier.prove.scalars.tree_to_sympy import Translator

ENGINE = "symbolic"
_MADE = (n.Expectation, n.Variance, n.Covariance, n.Derivative, n.Limit, n.After, n.Extreme)


@dataclass(frozen=True)
class Reading:
    """left op right, as trees without expectations and as expressions."""

    claim: Claim
    fact: n.Relation
    closed: n.Relation
    left: sp.Expr
    right: sp.Expr
    translator: Translator
    clock: Clock
    close: Callable[[n.Node], n.Node]
    derivation: tuple[str, ...] = ()
    # What must not be 0 for the limits taken to be right, and whether that is all.
    conditions: tuple[sp.Expr, ...] = ()
    is_guess: bool = False

    @property
    def difference(self) -> sp.Expr:
        return self.left - self.right

    @property
    def is_plain(self) -> bool:
        """Whether the relation as written can be evaluated at a point, cheaply."""
        heavy = n.Expectation | n.Variance | n.Covariance | n.Limit | n.After | n.Extreme
        return not any(isinstance(part, heavy) for part in walk(self.fact))

    @cached_property
    def is_still(self) -> bool:
        """Whether no invariant of a matrix moves with the symbols that grow: then it is a constant."""
        names = {symbol.name for symbol in self.claim.growing}
        return not any(self.translator.moving(side, names) for side in (self.left, self.right))

    @cached_property
    def generic(self) -> Claim:
        """The claim where the limits are right: at other points their values are those of nothing."""
        added = []
        for condition in self.conditions:
            fact = n.Relation("!=", self.tree(condition), n.Number(Fraction(0)))
            added.append(Assumption("generic case", fact, to_text(fact), self.claim.position))
        return replace(self.claim, assumptions=(*self.claim.assumptions, *added))

    @property
    def checked(self) -> n.Relation:
        """What is evaluated at points: the relation itself, or its closed form."""
        if self.is_plain:
            return self.fact
        return n.Relation(self.fact.op, self.tree(self.left), self.tree(self.right))

    def tree(self, expr: sp.Expr) -> n.Node:
        return from_sympy(expr, self.translator.atoms)

    def text(self, expr: sp.Expr) -> str | None:
        """The expression in the claim language, if it has a form there."""
        try:
            return to_text(self.tree(expr))
        except Refused:
            return None

    def shortest(self, expr: sp.Expr) -> sp.Expr:
        """The shortest form that is found soon."""
        try:
            with self.clock.guard(0.4):
                return simplest(expr)
        except Refused:
            return expr

    def correction(self) -> str | None:
        """The left side: what the right side must be, or the smallest that it may be. A bound is not put
        right by a left side with nothing to work out, and nothing is less than itself."""
        if self.fact.op in ("<", ">"):
            return None
        if self.fact.op != "==" and not any(isinstance(node, _MADE) for node in walk(self.fact.left)):
            return None
        return self.text(self.shortest(self.left))

    def finding(
        self,
        truth: Truth,
        grade: Grade | None = None,
        reason: str = "",
        missing: str | None = None,
        corrected: str | None = None,
        counterexample: Counterexample | None = None,
        tightness: Tightness | None = None,
        excluded: tuple[str, ...] = (),
    ) -> Finding:
        """What was found, with both sides in closed form and the time it took."""
        return Finding(
            ENGINE,
            truth,
            grade,
            reason,
            lhs=self.text(self.left),
            rhs=self.text(self.right),
            corrected=corrected,
            counterexample=counterexample,
            tightness=tightness,
            derivation=self.derivation,
            excluded=excluded,
            missing=missing,
            seconds=self.clock.spent,
        )


def read(claim: Claim, fact: n.Relation, closing: Closing) -> Reading:
    """Both sides with expectations, layers and limits worked out."""
    closed = n.Relation(fact.op, closing.close(fact.left), closing.close(fact.right))
    return interpret(claim, fact, closed, closing)


def gaps_of(claim: Claim, spans: Mapping[str, Span]) -> tuple[Gap, ...]:
    """What the assumed inequalities between scalars say beyond the spans: of several of them at once, or of
    one by a curve or an irrational end."""
    translator, found = Translator(claim, spans), []
    for fact in claim.constraints:
        if isinstance(fact, n.Relation) and fact.op in ("<", "<=", ">", ">=") and fact.left.shape.is_scalar:
            with suppress(Refused):
                left, right = translator.read(fact.left), translator.read(fact.right)
                slack = right - left if fact.op in ("<", "<=") else left - right
                if not _is_rational_end(slack):
                    found.append(Gap(slack, fact.op in ("<", ">")))
    return tuple(found)


def _is_rational_end(slack: sp.Expr) -> bool:
    """a + b x with numbers a and b: the span of x has it already; so it has what speaks of no symbol."""
    if len(slack.free_symbols) != 1:
        return not slack.free_symbols
    (variable,) = slack.free_symbols
    if not slack.is_polynomial(variable):
        return False
    poly = sp.Poly(slack, variable)
    return poly.degree() == 1 and all(c.is_Rational for c in poly.all_coeffs())


def interpret(claim: Claim, fact: n.Relation, closed: n.Relation, closing: Closing) -> Reading:
    """Closed trees as expressions; the claim may assume more than it did when they were closed."""
    spans = domain(claim, (closed.left, closed.right))
    gaps = gaps_of(claim, spans)
    limiter = limits.Limits(spans, closing.clock, gaps)
    translator = Translator(claim, spans, limiter.take, rules(claim, closing.closed_form))
    translator = translator.knowing(closing.nonnegative)
    translator = replace(translator, nonnegative=(*translator.nonnegative, *(gap.expr for gap in gaps)))
    left, right = translator.read(closed.left), translator.read(closed.right)
    if any(side.has(sp.nan, sp.zoo) for side in (left, right)):
        raise Undefined("a division by zero at every point")
    return Reading(
        claim,
        fact,
        closed,
        left,
        right,
        translator,
        closing.clock,
        closing.close,
        tuple(limiter.notes),
        tuple(limiter.conditions),
        bool(limiter.guessed),
    )
