"""Proofs by induction: how one side of a relation goes on from n to n + 1, read off its tree, and that the
other side does not fall behind."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.expr.walk import distinct, substitute
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rules.defined import unfolded
from verifier.kernel.rules.induction import folded, shifted
from verifier.proofs.linear import ONE, TWO, ZERO, at_most, ends, follows

Prove = Callable[[Context, Relation], Proof | None]
Step = tuple[N.Node, N.Node]  # q and d, where the tree at n + 1 is q times the tree at n, and d
STARTS = (1, 2, 3)


def inductions(context: Context, fact: Relation, prove: Prove) -> Iterator[Proof]:
    """Over each size that a sum, a product, a factorial or an exponent counts to."""
    small, large, strict = ends(Proof("", Holds(fact)))
    small, large = unfolded(context, small), unfolded(context, large)
    for name in dict.fromkeys((*counted(small), *counted(large))):
        for count in STARTS:
            found = _induction(context, fact, (small, large), name, count, prove)
            if found is not None:
                yield found
                return
        if not strict and fact.op != "==":
            yield from _by_more(context, fact, (small, large), name, prove)


def _by_more(
    context: Context, fact: Relation, sides: tuple[N.Node, N.Node], name: str, prove: Prove
) -> Iterator[Proof]:
    """What is stronger and follows by induction: the sum and a multiple of its last term stay below a number;
    what a sum stays above may be taken at n + 1 already."""
    small, large = sides
    n = N.Symbol(name)
    stronger = [(shifted(small, name, by=1), large)] if _speaks(small, n) else []
    match small:
        case N.Sum(body, (N.Range(index, _, high),), ()) if _rises(high, n):
            last = substitute(body, {N.Index(index): high})
            rests = [N.Multiply(n, last), last, N.Divide(N.Multiply(n, last), TWO), N.Divide(last, n)]
            stronger += [(small, N.Subtract(large, rest)) for rest in rests]
    for pair in stronger:
        known = _induction(context, Relation("<=", *pair), pair, name, 1, prove)
        if known is None:
            continue
        link = (small, pair[0]) if pair[1] == large else (pair[1], large)
        if (proof := prove(context, Relation("<=", *link))) is not None:
            yield Proof("chain", Holds(fact), (proof, known) if pair[1] == large else (known, proof))


def counted(node: N.Node) -> Iterator[str]:
    """The symbols to which something is counted."""
    for part in distinct(node):
        match part:
            case N.Sum(_, ranges) | N.Product(_, ranges):
                inside = [item.high for item in ranges]
            case N.Power(_, exponent):
                inside = [exponent]
            case N.Apply("factorial", (arg,)):
                inside = [arg]
            case _:
                continue
        for end in inside:
            yield from sorted(leaf.name for leaf in distinct(end) if isinstance(leaf, N.Symbol))


def _induction(
    context: Context, fact: Relation, sides: tuple[N.Node, N.Node], name: str, count: int, prove: Prove
) -> Proof | None:
    small, large = sides
    equation = fact.op == "=="
    strict = fact.op in ("<", ">")
    starts = []
    for at in range(1, count + 1):
        pair = shifted(small, name, number=at), shifted(large, name, number=at)
        start = _equal(context, *pair) if equation else _below(context, *pair, strict, prove)
        if start is None:
            return None
        starts.append(start)
    for side in sides:
        for q, d in steps(side, N.Symbol(name)):
            step = tuple(folded(shifted(part, name, by=count - 1)) for part in (q, d))
            found = _both_steps(context, sides, name, count, step, equation, prove)
            if found is not None:
                return Proof("induction", Holds(fact), (*starts, *found), {"over": name})
    return None


def _both_steps(
    context: Context,
    sides: tuple[N.Node, N.Node],
    name: str,
    count: int,
    step: tuple[N.Node, ...],
    equation: bool,
    prove: Prove,
) -> tuple[Proof, Proof] | None:
    (now_small, now_large), (then_small, then_large) = (
        tuple(shifted(side, name, by=by) for side in sides) for by in (count - 1, count)
    )
    q, d = step
    upper, lower = (N.Add(N.Multiply(q, now), d) for now in (now_small, now_large))
    if equation:
        first, second = _equal(context, then_small, upper), _equal(context, lower, then_large)
    else:
        first = _below(context, then_small, upper, False, prove)
        second = None if first is None else _below(context, lower, then_large, False, prove)
    return None if first is None or second is None else (first, second)


def _equal(context: Context, left: N.Node, right: N.Node) -> Proof | None:
    proof = Proof("contract", Holds(Relation("==", left, right)))
    return proof if follows(context, proof) else None


def _below(context: Context, small: N.Node, large: N.Node, strict: bool, prove: Prove) -> Proof | None:
    if not strict and (equal := _equal(context, small, large)) is not None:
        return Proof("weaken", at_most(small, large), (equal,))
    return prove(context, Relation("<" if strict else "<=", small, large))


# --- how a tree goes on -------------------------------------------------------------------------------


def steps(tree: N.Node, at: N.Node) -> Iterator[Step]:
    """(q, d) with tree(n + 1) = q*tree(n) + d; the kernel looks whether that is so."""
    match tree:
        case _ if not _speaks(tree, at):
            yield ONE, ZERO
        case _ if tree == at:
            yield ONE, ONE
        case N.Sum(body, (N.Range(index, low, high),), ()) if _rises(high, at) and not _speaks(body, at):
            yield ONE, substitute(body, {N.Index(index): _next(high, at)})
            for ratio, rest in steps(body, N.Index(index)):
                if rest == ZERO and not _speaks(ratio, N.Index(index)):
                    yield ratio, substitute(body, {N.Index(index): low})
        case N.Product(body, (N.Range(index, _, high),), ()) if _rises(high, at) and not _speaks(body, at):
            yield substitute(body, {N.Index(index): _next(high, at)}), ZERO
        case N.Apply("factorial", (arg,)) if _rises(arg, at):
            yield _next(arg, at), ZERO
        case N.Apply("exp", (arg,)) if (slope := _slope(arg, at)) is not None:
            yield N.Apply("exp", (slope,)), ZERO
        case N.Power(base, exponent) if not _speaks(base, at):
            if (slope := _slope(exponent, at)) is not None:
                yield (base if slope == ONE else N.Power(base, slope)), ZERO
        case N.Add(left, right) | N.Subtract(left, right):
            yield from _of_sum(tree, left, right, at)
        case N.Negate(arg):
            yield from ((q, N.Negate(d)) for q, d in steps(arg, at))
        case N.Multiply() | N.Divide() | N.Power() | N.Apply("sqrt" | "log"):
            yield from _of_product(tree, at)


def _of_sum(tree: N.Node, left: N.Node, right: N.Node, at: N.Node) -> Iterator[Step]:
    """Of two trees with one factor; a number goes on with any."""
    kind = N.Add if isinstance(tree, N.Add) else N.Subtract
    for one, other, turned in ((left, right, False), (right, left, True)):
        for q, d in steps(one, at):
            for p, c in steps(other, at):
                if not _speaks(other, at):
                    p, c = q, (ZERO if q == ONE else N.Multiply(N.Subtract(ONE, q), other))
                if p == q:
                    yield q, kind(*((c, d) if turned else (d, c)))


def _of_product(tree: N.Node, at: N.Node) -> Iterator[Step]:
    match tree:
        case N.Multiply(c, arg) | N.Multiply(arg, c) if not _speaks(c, at):
            yield from ((q, ZERO if d == ZERO else N.Multiply(c, d)) for q, d in steps(arg, at))
        case N.Divide(arg, c) if not _speaks(c, at):
            yield from ((q, ZERO if d == ZERO else N.Divide(d, c)) for q, d in steps(arg, at))
        case N.Multiply(left, right) | N.Divide(left, right):
            for q, d in steps(left, at):
                for p, c in steps(right, at):
                    if d == ZERO == c:
                        yield type(tree)(q, p), ZERO
        case N.Power(arg, exponent) if not _speaks(exponent, at):
            yield from ((N.Power(q, exponent), d) for q, d in steps(arg, at) if d == ZERO)
        case N.Apply("sqrt", (arg,)):
            yield from ((N.Apply("sqrt", (q,)), d) for q, d in steps(arg, at) if d == ZERO)
        case N.Apply("log", (arg,)):
            yield from ((ONE, N.Apply("log", (q,))) for q, d in steps(arg, at) if d == ZERO)


def _next(tree: N.Node, at: N.Node) -> N.Node:
    return substitute(tree, {at: N.Add(at, ONE)})


def _speaks(tree: N.Node, at: N.Node) -> bool:
    return any(part == at for part in distinct(tree))


def _rises(tree: N.Node, at: N.Node) -> bool:
    return _slope(tree, at) == ONE


def _slope(tree: N.Node, at: N.Node) -> N.Node | None:
    """By how much a linear function of n rises at each step."""
    match tree:
        case _ if not _speaks(tree, at):
            return ZERO
        case _ if tree == at:
            return ONE
        case N.Add(left, right) | N.Subtract(left, right):
            first, second = _slope(left, at), _slope(right, at)
            if first is None or second is None:
                return None
            return first if second == ZERO else type(tree)(first, second)
        case N.Negate(arg):
            slope = _slope(arg, at)
            return None if slope is None else _times(N.Number(Fraction(-1)), slope)
        case N.Multiply(c, arg) | N.Multiply(arg, c) if not _speaks(c, at):
            slope = _slope(arg, at)
            return None if slope is None else _times(c, slope)
        case N.Divide(arg, c) if not _speaks(c, at):
            slope = _slope(arg, at)
            return None if slope is None else N.Divide(slope, c)
    return None


def _times(factor: N.Node, node: N.Node) -> N.Node:
    return factor if node == ONE else N.Multiply(factor, node)
