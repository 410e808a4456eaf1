"""A counterexample as a page shows it: its values, both sides, and the arithmetic between."""

from dataclasses import dataclass

from markupsafe import Markup

from verifier.claim.model import Claim
from verifier.evidence import Counterexample
from verifier.report import markup
from verifier.report.facts import relevant, runs_along, show, sides
from verifier.report.prose import prose
from verifier.report.worked import worked_line

RATIO = markup.Label(Markup("left side / right side"), "left side / right side")


@dataclass(frozen=True)
class Point:
    """A counterexample: its values, both sides, and the arithmetic; or sizes, and the ratio at each."""

    values: tuple[tuple[Markup, Markup], ...]
    sides: tuple[tuple[str, str], ...]
    arithmetic: tuple[Markup, ...]
    columns: tuple[markup.Label, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def point_of(claim: Claim, found: Counterexample | None) -> Point | None:
    if found is None:
        return None
    found = relevant(claim, found)
    table = _table(found)
    # The two sides are shown below, orders of magnitude too.
    silent = {*table, *({"lhs", "rhs"} - claim.symbols.keys())}
    single = {name: value for name, value in found.values.items() if name not in silent}
    values = [(_label(claim, name).shown, markup.value(value)) for name, value in single.items()]
    columns = {_label(claim, name): column for name, column in table.items()}
    if table:
        columns[RATIO] = list(found.ratios)
    elif found.ratios:
        ratios = list(found.ratios)
        values.append((RATIO.shown, markup.value(ratios if len(ratios) > 1 else show(ratios[0]))))
    return Point(
        tuple(values),
        tuple(
            (name, text)
            for name, text in zip(("left side", "right side"), sides(found), strict=True)
            if text is not None
        ),
        tuple(worked_line(claim, line) for line in found.arithmetic),
        tuple(columns),
        tuple(zip(*(map(show, column) for column in columns.values()), strict=True)),
    )


def _table(found: Counterexample) -> dict[str, list[object]]:
    """Scalars that were tried one after the other, if the sides have a ratio at each."""
    along = {name: value for name, value in found.values.items() if runs_along(value, found.ratios)}
    return {name: list(value) for name, value in along.items() if isinstance(value, list | tuple)}


def _label(claim: Claim, name: str) -> markup.Label:
    return markup.label(name) if name in claim.symbols else markup.Label(prose(name), name)
