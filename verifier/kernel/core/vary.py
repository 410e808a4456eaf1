"""D(of, by): which entry is varied, what is held, and what a name stands for once the derivative is taken."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeGuard

from verifier.expr import nodes as N
from verifier.expr.symbols import FixedMatrix
from verifier.expr.walk import walk
from verifier.kernel.context import Context
from verifier.kernel.core.axes import columns, fixed, rows
from verifier.kernel.core.derive import Slope, names_in
from verifier.kernel.core.states import slope_of_state, state_name
from verifier.kernel.core.terms import (
    ZERO,
    Call,
    Positions,
    Term,
    Var,
    minus,
    nothing_of,
    plus,
    rebuilt,
    times,
)
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.core.read import Reader


def derivative(reader: "Reader", of: N.Node, by: N.Node, row: Positions, col: Positions) -> Term:
    """The entry of the Jacobian: row is an entry of `of`, col one of `by`."""
    target, at = _target(reader, by, col)
    may_vary(reader.context, target)
    name = by.arg if isinstance(by, N.Entry) else by
    inner = replace(reader, cut={**reader.cut, target: name.body}) if isinstance(name, N.Let) else reader
    height = len(fixed(rows(of), of.shape.rows))
    value = inner.entry(of, row[:height], row[height:])
    held = {other: held_slope(inner, other, of) for other in reader.context.held if other != target}
    if reader.context.layers is not None and any(isinstance(part, N.After) for part in walk(of)):
        state = slope_of_state(reader.context, target)
        held[state_name(reader.context.layers)] = lambda slope, place: state(place, slope.at)
    close = _refused if _is_assumed_first(reader.context, target, of) else reader.close
    found = Slope(target, at, held, close, partial(chain_rule, inner), reader.budget).of(value)
    # What has no value has no slope either, so what the slope no longer speaks of is kept.
    found = plus(found, nothing_of(value))
    if isinstance(name, N.Let) and target not in reader.context.held:
        return _restored(reader, found, target, name.body)
    return found


def _is_assumed_first(context: Context, target: str, of: N.Node) -> bool:
    """Whether a value is assumed of what is varied, or of a name that depends on it: the closed form of a
    mean has that value in it already, and derivatives come first."""
    if target in context.replaced or target in context.held:
        return True
    names = (part for part in walk(of) if isinstance(part, N.Let) and part.name in context.held)
    inside = context.layers is not None and any(isinstance(part, N.After) for part in walk(of))
    made = walk(context.layers.next) if inside and context.layers is not None else ()
    return any(target in names_in(part.body) for part in names) or any(
        isinstance(part, N.Let) and part.name in context.held for part in made
    )


def _refused(term: Term) -> Term:
    raise Rejected("outside", "the derivative of a mean in which values are assumed already")


def _target(reader: "Reader", by: N.Node, col: Positions) -> tuple[str, Positions]:
    """The symbol or name that is varied, and at which entry."""
    match by:
        case N.Symbol(name) | N.Let(name, _):
            return name, col
        case N.Member(name, _, index):
            return name, (reader.position(index), *col)
        case N.Entry(N.Symbol(name) | N.Let(name, _) as arg, first, second):
            row = reader.one_position(first, rows(arg))
            return name, (*row, *reader.one_position(second, columns(arg)))
    raise Rejected("outside", "a derivative by something else than a symbol, a name or an entry")


def may_vary(context: Context, name: str) -> None:
    """A symbol whose entries are free, and which no assumption ties to another that is varied."""
    declared = context.symbols.get(name)
    kind = declared.kind if declared is not None else None
    if isinstance(kind, FixedMatrix) and kind.family not in ("matrix", "vector"):
        raise Rejected("outside", f"a derivative by {name}, whose entries are tied")
    others = [fact.right for fact in context.assumptions if _is_value(fact)]
    others += [fact.left for fact in context.assumptions if _is_value(fact) and not context.is_entered(fact)]
    if any(name in names_in(value) for value in others):
        raise Rejected("outside", f"a derivative by {name}, which an assumption puts elsewhere")


def _is_value(fact: N.Fact) -> TypeGuard[N.Relation]:
    """Whether an assumption says what a symbol is."""
    return isinstance(fact, N.Relation) and fact.op == "==" and isinstance(fact.left, N.Symbol)


def held_slope(reader: "Reader", name: str, within: N.Node) -> Callable[[Slope, Positions], Term]:
    """The slope of what has an assumed value: of a softmax A of M, dA = A*(dM - sum(A*dM)) there."""
    bodies = {part.body for part in walk(within) if isinstance(part, N.Let) and part.name == name}

    def slope(of: Slope, at: Positions) -> Term:
        body, *others = bodies
        if of.name not in names_in(body) and not others:
            return ZERO
        if others or not isinstance(body, N.RowWise) or body.function != "softmax":
            raise Rejected("outside", f"the derivative of {name}, whose value is assumed")
        height = len(fixed(rows(body), body.shape.rows))
        row, col = at[:height], at[height:]
        axis = fixed(columns(body.arg), body.shape.cols)

        def change(k: Positions) -> Term:
            return of.of(reader.closed().entry(body.arg, row, k))

        mean = reader.over(axis, lambda k: times(Var(name, (*row, *k)), change(k)))
        return times(Var(name, at), minus(change(col), mean))

    return slope


def chain_rule(reader: "Reader", slope: Slope, call: Call) -> Term:
    """The chain rule for a declared function of a matrix."""
    if slope.name not in reader.context.reach(call.arg):
        return ZERO
    if call.at is not None or not call.function:
        raise Rejected("outside", "the derivative of something of which too little is known")
    return reader.everywhere(
        (call.arg,),
        lambda i, j: times(
            Call(call.function, call.arg, (*i, *j)), slope.of(reader.closed().entry(call.arg, i, j))
        ),
    )


def _restored(reader: "Reader", term: Term, name: str, body: N.Node) -> Term:
    """The `let` name again as what it stands for, once the derivative by it is taken."""
    if isinstance(term, Var) and term.name == name:
        height = len(fixed(rows(body), body.shape.rows))
        return reader.closed().entry(body, term.at[:height], term.at[height:])
    return rebuilt(term, lambda part: _restored(reader, part, name, body))
