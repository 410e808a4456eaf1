"""Assumed values and substitutions, entered once derivatives are taken."""

from verifier.expr.nodes import Node
from verifier.kernel.context import Context
from verifier.kernel.core.axes import fixed, rows
from verifier.kernel.core.derive import names_in
from verifier.kernel.core.read import Reader
from verifier.kernel.core.terms import Term, Var, of_dim, rebuilt
from verifier.kernel.rejected import Rejected

DEEPEST = 32  # values that stand for values


def settled(reader: Reader, term: Term) -> Term:
    """The term with every name that an assumption gives a value replaced by it."""
    values = values_of(reader.context)
    return _settled(reader, term, values, DEEPEST)


def values_of(context: Context) -> dict[str, Node]:
    """What assumptions put in the place of names: fixed symbols and `let` names, by values that are fixed."""
    values = {**context.held, **context.replaced}
    for name, value in context.replaced.items():
        if any(context.is_random(other) for other in (name, *names_in(value))):
            raise Rejected("outside", f"an assumed value of {name} that is random")
    return values


def _settled(reader: Reader, term: Term, values: dict[str, Node], depth: int) -> Term:
    reader.budget.spend()
    if isinstance(term, Var):
        name = term.name
        if name in reader.context.dims and name not in values:
            return of_dim(reader.context.dims[name])
        if name not in values:
            return term
        if not depth:
            raise Rejected("outside", "assumed values that go round in a circle")
        value = values[name]
        height = len(fixed(rows(value), value.shape.rows))
        # A number assumed for a matrix is assumed for every entry of it.
        at = ((), ()) if value.shape.is_scalar else (term.at[:height], term.at[height:])
        found = reader.closed().entry(value, *at)
        return _settled(reader, found, values, depth - 1)
    return rebuilt(term, lambda part: _settled(reader, part, values, depth))
