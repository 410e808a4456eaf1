"""A claim about scalars as inequalities between functions of variables over domains."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from flint import fmpq

from verifier.claim.model import Claim
from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.term_calculus import variables
from verifier.exact.numbers.constants import (
    HALF,
    ONE,
    ZERO,
    Closed,
    Exact,
    integer_power,
    is_zero,
    power,
    sign,
)
from verifier.exact.numbers.operations import Value
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.numbers.scalar_terms import Call, Linear, Product, Term, Variable, is_positive
from verifier.exact.numbers.value_matrices import Matrix, size
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.dims import Dim
from verifier.expr.symbols import Declared
from verifier.expr.walk import walk

SCALARS = kinds.Dimension | kinds.IndexOf | kinds.Integer | kinds.Real | kinds.Positive | kinds.Interval


@final
@dataclass(frozen=True)
class Entry:
    """left op right, for one entry of the relation."""

    op: str
    left: Value
    right: Value


@final
@dataclass(frozen=True)
class Problem:
    """The entries to decide; where the variables range; constraints (>= 0) that no domain holds.

    `complete` is false where a constraint could not be read: then a proof over the larger region
    still counts, but what is said of tightness would not. `vacuous`: nothing satisfies them."""

    entries: tuple[Entry, ...]
    domains: dict[str, Domain]
    constraints: tuple[Any, ...] = ()
    complete: bool = True
    vacuous: bool = False

    def names(self, *values: Value) -> tuple[str, ...]:
        found = {v.name for value in values if isinstance(value, Term) for v in variables(value)}
        # In the order declared, whatever they are called; those of an engine's own come last.
        return (*(x for x in self.domains if x in found), *sorted(found - self.domains.keys()))


def scalars(claim: Claim) -> Iterator[Declared]:
    """The fixed scalar symbols that `where` leaves open."""
    for name, symbol in claim.symbols.items():
        if isinstance(symbol.kind, SCALARS) and symbol.shape.is_scalar and name not in claim.where:
            yield symbol


def evaluator(claim: Claim, sizes: Mapping[str, Any] | None = None) -> Evaluator:
    """The claim's scalars bound to variables, but for those that are given a value."""
    positive = kinds.Positive | kinds.Dimension | kinds.IndexOf
    point: dict[str, Any] = {s.name: Variable(s.name, isinstance(s.kind, positive)) for s in scalars(claim)}
    return Evaluator(Context.of(claim), {**point, **(sizes or {})})


def state(
    claim: Claim,
    fact: n.Relation | n.Within,
    values: Mapping[str, Any] | None = None,
    domains: Mapping[str, Domain] | None = None,
) -> Problem:
    """The problem that the fact poses; raises a Refusal where it is not about scalars.

    Some symbols may have values: sizes, or matrices of variables with domains of their own."""
    env = evaluator(claim, values)
    return _with_domains(claim, env, tuple(_entries(env, fact)), domains or {})


def ranged(claim: Claim, value: Value) -> Problem:
    """Where the claim lets the variables of a value range; nothing is asked of it."""
    return _with_domains(claim, evaluator(claim), (Entry("==", value, value),), {})


def _with_domains(
    claim: Claim, env: Evaluator, entries: tuple[Entry, ...], domains: Mapping[str, Domain]
) -> Problem:
    problem = Problem(entries, dict(domains))
    replaced = {a.substitution[0].name for a in claim.assumptions if a.substitution is not None}
    spoken = _spoken_of(claim, problem)
    for symbol in scalars(claim):
        # An index that nothing speaks of has a value whatever the size is: it ties nothing.
        idle = isinstance(symbol.kind, kinds.IndexOf) and symbol.name not in spoken
        if symbol.name not in replaced and not idle:
            problem = _declare(problem, symbol, env)
    for symbol in scalars(claim):
        if symbol.name in replaced:
            problem = _declare_replaced(problem, symbol, env)
    for constraint in claim.constraints:
        problem = _constrain(problem, constraint, env)
    return problem


def _spoken_of(claim: Claim, problem: Problem) -> set[str]:
    """The names in the entries, and in what is assumed."""
    sides = problem.names(*(side for entry in problem.entries for side in (entry.left, entry.right)))
    parts = (part for item in claim.assumptions for part in walk(item.fact))
    return {*sides, *(part.name for part in parts if isinstance(part, n.Symbol))}


def _entries(env: Evaluator, fact: n.Relation | n.Within) -> Iterator[Entry]:
    match fact:
        case n.Relation(op, left, right):
            yield from _pairs(op, env.value(left), env.value(right))
        case n.Within(arg, low, high):
            value = env.value(arg)
            for op, end in ((">=", low), ("<=", high)):
                if not is_infinite(end, op):
                    yield from _pairs(op, value, env.value(end))


def is_infinite(node: n.Node, op: str) -> bool:
    """-oo as a lower end (op >=), oo as an upper one: no bound at all."""
    if op == ">=":
        return isinstance(node, n.Negate) and isinstance(node.arg, n.Infinity)
    return isinstance(node, n.Infinity)


def _pairs(op: str, left: Matrix, right: Matrix) -> Iterator[Entry]:
    rows, cols = max(size(left), size(right))
    for i in range(rows):
        for j in range(cols):
            x = left[0][0] if size(left) == (1, 1) else left[i][j]
            y = right[0][0] if size(right) == (1, 1) else right[i][j]
            yield Entry(op, x, y)


def _declare(problem: Problem, symbol: Declared, env: Evaluator) -> Problem:
    """A variable with the domain of its kind."""
    whole = isinstance(symbol.kind, kinds.Dimension | kinds.IndexOf | kinds.Integer)
    problem = replace(problem, domains={**problem.domains, symbol.name: Domain(integer=whole)})
    for op, end in _bounds(symbol.kind, env):
        problem = _bound(problem, op, _minus(env.scalar(n.Symbol(symbol.name)), end))
    return problem


def _declare_replaced(problem: Problem, symbol: Declared, env: Evaluator) -> Problem:
    """A symbol that an assumption replaces: its declaration bounds what replaces it."""
    try:
        value = env.scalar(n.Symbol(symbol.name))
        bounds = list(_bounds(symbol.kind, env))
    except Refusal:
        return replace(problem, complete=False)
    for op, end in bounds:
        if not (op == ">" and is_zero(end) and is_positive(value)):
            problem = _bound(problem, op, _minus(value, end))
    return problem


def _minus(left: Any, right: Any) -> Any:
    return left - right


def _bounds(kind: kinds.Kind, env: Evaluator) -> Iterator[tuple[str, Value]]:
    match kind:
        case kinds.Positive():
            yield ">", ZERO
        case kinds.Dimension():
            yield ">=", ONE
        case kinds.IndexOf(bound):
            yield ">=", ONE
            yield "<=", _dimension(bound, env)
        case kinds.Interval(low, high):
            for op, end in ((">=", low), ("<=", high)):
                if not is_infinite(end, op):
                    yield op, env.scalar(end)
        case kinds.Real() | kinds.Integer():
            return
        case _:
            raise AssertionError(kind)


def _dimension(size: Dim, env: Evaluator) -> Value:
    """The polynomial as a function of its symbols."""
    total: Value = ZERO
    for monomial, coefficient in size.terms:
        product: Value = fmpq(coefficient)
        for name, times in monomial:
            product = product * integer_power(env.scalar(n.Symbol(name)), times)
        total = total + product
    return total


def _constrain(problem: Problem, fact: n.Fact, env: Evaluator) -> Problem:
    try:
        match fact:
            case n.ForAll(inner, ranges, conditions):
                parts = [e for each in env.each(ranges, conditions) for e in _entries(each, inner)]
            case n.Relation() | n.Within():
                parts = list(_entries(env, fact))
            case _:
                return replace(problem, complete=False)
    except Refusal:
        return replace(problem, complete=False)
    for part in parts:
        problem = _bound(problem, part.op, part.left - part.right)
    return problem


def _bound(problem: Problem, op: str, gap: Value) -> Problem:
    """Add gap op 0: into a domain where it bounds one variable, else to the constraints."""
    match gap:
        case fmpq() | Closed():
            return problem if _is_true(op, gap) else replace(problem, vacuous=True)
        case Variable() | Linear(_, ((Variable(), _),)):
            return _cut(problem, op, gap)
        case Linear(constant, ((Call("abs", (inner,)), factor),)):
            return _between(problem, op, inner, constant, factor, gap)
        case Linear(constant, ((Product(((inner, exponent),)), factor),)) if exponent == 2:
            return _between(problem, op, inner, constant, factor, gap, squared=True)
    return _keep(problem, op, gap)


def _is_true(op: str, gap: Exact) -> bool:
    side = sign(gap)
    return {"<=": side <= 0, "<": side < 0, ">=": side >= 0, ">": side > 0, "==": side == 0}.get(
        op, side != 0
    )


def _keep(problem: Problem, op: str, gap: Value) -> Problem:
    if not isinstance(gap, Term):
        return replace(problem, complete=False)
    match op:
        case ">=" | ">":
            return replace(problem, constraints=(*problem.constraints, gap))
        case "<=" | "<":
            return replace(problem, constraints=(*problem.constraints, -gap))
        case "!=":
            return problem
    return replace(problem, constraints=(*problem.constraints, gap, -gap), complete=False)


FLIP = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "!=": "!=", "==": "=="}


def _cut(problem: Problem, op: str, gap: Any) -> Problem:
    """constant + factor * x op 0."""
    if op == "==":
        return _keep(problem, op, gap)
    if isinstance(gap, Variable):
        variable, constant, factor = gap, ZERO, ONE
    else:
        constant, ((variable, factor),) = gap.constant, gap.parts
    end: Any = -constant * power(factor, fmpq(-1))
    if not isinstance(end, fmpq | Closed):
        return _keep(problem, op, gap)
    direction = op if sign(factor) > 0 else FLIP[op]
    domain = problem.domains[variable.name].cut(direction, end)
    return replace(problem, domains={**problem.domains, variable.name: domain})


def _between(
    problem: Problem, op: str, inner: Any, constant: Exact, factor: Exact, gap: Any, squared: bool = False
) -> Problem:
    """|u| <= c as -c <= u <= c; u**2 <= c as |u| <= sqrt(c). |u| >= c is no interval: kept."""
    direction = op if sign(factor) > 0 else FLIP[op]
    bound: Any = -constant * power(factor, fmpq(-1))
    if direction not in ("<=", "<") or not isinstance(bound, fmpq | Closed) or sign(bound) < 0:
        return _keep(problem, op, gap)
    if squared:
        bound = power(bound, HALF)
        if not isinstance(bound, fmpq | Closed):
            return _keep(problem, op, gap)
    return _bound(_bound(problem, direction, inner - bound), FLIP[direction], inner + bound)
