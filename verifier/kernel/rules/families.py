"""Families of points: what is false of growth and of limits."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from flint import fmpq

from verifier.expr import nodes as N
from verifier.expr.walk import walk
from verifier.kernel.asymptotic.allowed import Instance
from verifier.kernel.asymptotic.compare import is_negative, is_smaller
from verifier.kernel.asymptotic.forms import Asymptotics
from verifier.kernel.asymptotic.instance import instance
from verifier.kernel.asymptotic.limits import along, body_of
from verifier.kernel.asymptotic.motion import motion
from verifier.kernel.asymptotic.numbers import sign_of_number
from verifier.kernel.asymptotic.scale import Sign, sign_of
from verifier.kernel.asymptotic.values import read_values
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails, Judgement
from verifier.kernel.normal.atoms import Poly, scaled, total
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.eventually import has_values
from verifier.kernel.rules.growth import stated_growth
from verifier.kernel.rules.limits import is_limit, stated_limit
from verifier.kernel.rules.series import as_limit

FALSE: dict[str, tuple[Sign, ...]] = {
    "==": ("<", ">"), "<=": (">",), "<": (">", ">=", "="), ">=": ("<",), ">": ("<", "<=", "=")
}  # fmt: skip


def family(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{x(n) \models \Gamma \qquad f(x(n)) / l(x(n)) \to 0}{\Gamma \vdash l \le O(f) \text{ fails}}
    \qquad
    \frac{x(n) \models \Gamma \qquad l(x(n)) / f(x(n)) \to 0}
    {\Gamma \vdash l \ge \Omega(f) \text{ fails}}

    The data name the symbols n that grow along the family, and values of others: a number times powers of n
    for what moves with n, a number for what does not, for a matrix one number at every entry or its rows.
    All symbols that the statement says to grow do so. Declarations, laws and assumptions allow the values,
    those about every index at each of its numbers, and both sides have values once n is large. Theta fails in
    either way; Omega also where l becomes negative.
    """
    if premises:
        raise Rejected("premises", "a family needs no premise")
    if not isinstance(goal, Fails):
        raise Rejected("statement", "a family shows that a statement fails")
    kind, left, body = stated_growth(goal.fact)
    if not (names := _names(data)):
        raise Rejected("condition", "nothing grows along the family")
    found = _read(context, data, frozenset(names))

    def attempt(sizes: Asymptotics) -> bool:
        top, bottom = (found.normal(sizes.algebra, node) for node in (left, body))
        return _is_false(kind, sizes, top, bottom)

    has_values(found, _first(found, attempt), (left, body))


def _is_false(kind: str, sizes: Asymptotics, top: Poly, bottom: Poly) -> bool:
    beyond = kind != "Omega" and is_smaller(sizes, bottom, top)
    below = kind != "O" and is_smaller(sizes, top, bottom)
    return beyond or below or (kind == "Omega" and is_negative(sizes, top))


def elsewhere(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{x \models \Gamma \qquad \mathrm{nf}(l(x) - r(x)) \ne 0}{\Gamma \vdash l = r \text{ fails}}
    \qquad
    \frac{x \models \Gamma \qquad \lim_{n \to \infty} e(x, n) = w \qquad w \ne v(x)}
    {\Gamma \vdash \lim_{n \to \infty} e = v \text{ fails}}
    \qquad
    \frac{x \models \Gamma \qquad |e(x, n)| \to \infty}{\Gamma \vdash \lim_{n \to \infty} e = v \text{ fails}}

    The data hold values x of symbols that do not depend on n, as for a family. Declarations, laws and
    assumptions allow them, and both sides have values there; e has one once n is large. An
    inequality fails by the sign of the difference of the normal forms, which an enclosure may tell where it
    is a number.
    """
    if premises:
        raise Rejected("premises", "a limit or a value elsewhere needs no premise")
    if not isinstance(goal, Fails) or context.growing:
        raise Rejected("statement", "a limit or a number that is claimed to be another")
    context, fact = as_limit(context, goal.fact)
    op, left, right = _stated(fact, data.get("entry"))
    whole = _stated(fact, None)[1:]
    names, body = frozenset(_variables(left)), body_of(left)
    if right != body_of(right):
        raise Rejected("outside", "a limit on the right")
    found = _read(context, data, names, encloses=True)
    values = read_values(data.get("values", {}))
    moving = motion(context, names).moving & values.keys() if names else None
    if moving or any(value.powers for value in values.values()):
        raise Rejected("condition", "a value that depends on what grows")
    shown = _first(found, lambda sizes: _is_other(found, sizes, op, left, right))
    stated = (body, right, *map(body_of, whole))
    has_values(found, shown, tuple(part for part in stated if not isinstance(part, N.Infinity)))


def _stated(fact: N.Relation | N.Within, entry: object) -> tuple[str, N.Node, N.Node]:
    """A relation between numbers, of which one may be a limit; between matrices at an entry."""
    match entry:
        case [int(i), int(j)] if isinstance(fact, N.Relation):
            row, col = N.Number(Fraction(i)), N.Number(Fraction(j))
            fact = replace(fact, left=_entry(fact.left, row, col), right=_entry(fact.right, row, col))
        case None:
            pass
        case _:
            raise Rejected("data", "an entry is a row and a column")
    match fact:
        case N.Relation(op, left, right) if op in FALSE and not (is_limit(left) or is_limit(right)):
            if not any(isinstance(part, N.Growth | N.Infinity) for part in walk(fact)):
                return op, left, right
        case N.Relation("<", left, N.Infinity() as right) if is_limit(left):
            return "<", left, right
    return stated_limit(fact)


def _entry(node: N.Node, row: N.Node, col: N.Node) -> N.Node:
    """The entry of a matrix, inside of limits; a number is every entry."""
    if node.shape.is_scalar:
        return node
    match node:
        case N.Limit(body):
            return replace(node, body=_entry(body, row, col))
        case N.Let(_, N.Limit() as body):
            return _entry(body, row, col)
    return N.Entry(node, row, col)


def _is_other(found: Instance, sizes: Asymptotics, op: str, left: N.Node, right: N.Node) -> bool:
    algebra = sizes.algebra
    if not left.shape.is_scalar:
        raise Rejected("outside", "a matrix: say which entry has another value")
    if isinstance(right, N.Infinity):
        top, bottom = sizes.quotient(found.normal(algebra, body_of(left)))
        rises = sizes.leading(top)[1] == sizes.leading(bottom)[1]
        return rises and len(sizes.motion.growing) == 1 and is_smaller(sizes, bottom, top)
    try:
        value = _limit(found, algebra, left)
    except Rejected:
        if not is_limit(left):
            raise
        top, bottom = sizes.quotient(found.normal(algebra, body_of(left)))
        return op == "==" and len(sizes.motion.growing) == 1 and is_smaller(sizes, bottom, top)
    gap = total((value, scaled(found.normal(algebra, right), fmpq(-1))))
    sign = sign_of(algebra, gap) or sign_of_number(gap)
    moves = is_limit(left) and any(map(sizes.moves, gap.atoms()))
    return sign in FALSE[op] and not moves


def _limit(found: Instance, algebra: ZeroTest, node: N.Node) -> Poly:
    if isinstance(node, N.Limit):
        sizes = replace(along(algebra, node), encloses=found.encloses)
        return sizes.limit(_limit(found, algebra, node.body))
    return found.normal(algebra, node)


def _variables(node: N.Node) -> Iterator[str]:
    """What grows in a limit of limits."""
    if isinstance(node, N.Limit):
        if node.target != N.Infinity():
            raise Rejected("outside", "a limit at a number")
        yield node.variable.name
        yield from _variables(node.body)


def _names(data: Data) -> list[str]:
    found = data.get("growing")
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise Rejected("data", "the names of the symbols that grow")
    return found


def _read(context: Context, data: Data, growing: frozenset[str], encloses: bool = False) -> Instance:
    if not data.keys() <= {"growing", "values", "entry"}:
        raise Rejected("data", "the data are what grows, values, and an entry")
    return instance(context, growing, read_values(data.get("values", {})), encloses)


def _first(found: Instance, attempt: Callable[[Asymptotics], bool]) -> Asymptotics:
    """The way to write normal forms, short sums written out or not, in which a statement is false."""
    last = Rejected("not-false", "the statement is not known to be false along this family")
    for expands in (False, True):
        moving = motion(found.context, found.growing)
        sizes = Asymptotics(ZeroTest(found.context, expands=expands), moving, found.encloses)
        try:
            if attempt(sizes):
                return sizes
        except Rejected as rejected:
            last = rejected
    raise last


RULES = (Rule("family", "growth", family), Rule("elsewhere", "limits", elsewhere, exact=False))
