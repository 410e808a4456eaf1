"""Where sequences begin, and in which order names are defined."""

from collections.abc import Mapping
from dataclasses import replace

from verifier.expr import syntax as S
from verifier.read.recursion import beginning
from verifier.read.told import Defined, Environment, Unreadable
from verifier.read.trees import names_in


def begun(known: Environment) -> Environment:
    """What is said of x_0 is said of x, where x_{k+1} = ... is known; raises Unreadable."""
    for state, recursion in known.recursions.items():
        _refuse_other_starts(known, state)
        first = known.lets.get(f"{state}_0")
        itself = first is not None and first.stated.statements[0]
        if state in known.lets or (state in known.symbols and getattr(itself, "name", None) != state):
            raise Unreadable(f"{state} is a letter, and a sequence too")
        if first is not None:
            lets = {name: part for name, part in known.lets.items() if name != f"{state}_0"}
            known = replace(known, lets=lets)
            if state not in known.symbols:
                known = replace(
                    known, assumptions={**known.assumptions, f"start-{recursion.line}": _start(first, state)}
                )
        symbols = {state if name == f"{state}_0" else name: told for name, told in known.symbols.items()}
        assumptions = {name: replace(part, stated=beginning(part.stated, state))
                       for name, part in known.assumptions.items()}  # fmt: skip
        known = replace(known, symbols=symbols, assumptions=assumptions)
    return known


def _refuse_other_starts(known: Environment, state: str) -> None:
    """x_1 = ... says more of a sequence than where it begins; raises Unreadable."""
    assumed = {
        name for part in known.assumptions.values() for tree in part.stated.trees for name in names_in(tree)
    }
    for name in sorted({*known.lets, *known.symbols, *assumed}):
        base, _, script = name.rpartition("_")
        if base == state and script.isdigit() and script != "0":
            raise Unreadable(f"{name}: of the sequence {state} it is read how it begins at 0 alone")


def _start(first: Defined, state: str) -> Defined:
    """x_0 = ... as what is assumed of the state before its first step."""
    (body,) = first.stated.statements
    return replace(
        first,
        stated=replace(
            first.stated, statements=(S.Compare(body.span, "==", S.Name(body.span, state), body),)
        ),
    )


def in_order(lets: Mapping[str, Defined]) -> dict[str, Defined]:
    """Each name behind those that it is made of: `$L = D - A$, where $D = ...`."""
    made: dict[str, Defined] = {}
    waiting = dict(lets)
    while waiting:
        ready = [name for name, part in waiting.items()
                 if not (set(names_in(part.stated.statements[0])) - {name}) & waiting.keys()]  # fmt: skip
        if not ready:
            raise Unreadable(f"{min(waiting)} is defined by itself")
        made |= {name: waiting.pop(name) for name in ready[:1]}
    return made
