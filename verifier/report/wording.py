"""How pictures name things, and which numbers an axis can hold."""

from collections.abc import Iterable

from verifier.evidence import Curve, Sample
from verifier.expr.nodes import Symbol
from verifier.expr.unicode import to_unicode
from verifier.report.facts import show
from verifier.report.plots import LARGEST

WIDE = 50  # times: then an axis is logarithmic


def name_of(symbol: str) -> str:
    return to_unicode(Symbol(symbol)) if symbol.isidentifier() else symbol


def place_of(sample: Sample) -> str:
    return ", ".join(said(name, f" = {show(value)}") for name, value in sample.at.items())


def said(name: str, value: str) -> str:
    """n = 3; for fixed matrices the kind of their entries alone: `X integers`."""
    return value.removeprefix(" = ") if name == "fixed" else f"{name_of(name)}{value}"


def held(curve: Curve) -> str:
    if not curve.held:
        return ""
    parts = [part.partition(" = ") for part in curve.held.split(", ")]
    words = ", ".join(said(name, f"{sign}{value}") for name, sign, value in parts)
    return f" Here {words}." if "=" in words else f" ({words})"


def interval(ends: tuple[float | None, float | None]) -> str:
    low, high = ("∞" if end is None else f"{end:.4g}" for end in ends)
    return f"[{low if low != '∞' else '−∞'}, {high}]"


def is_wide(values: Iterable[float | None], times: float = WIDE) -> bool:
    """Whether positive values spread so far that a logarithmic axis reads better."""
    known = [value for value in values if value is not None]
    return bool(known) and min(known) > 0 and max(known) / min(known) > times


def held_by_an_axis(value: float | None) -> float | None:
    if value is None or not abs(value) < LARGEST:
        return None
    return value if abs(value) > 1 / LARGEST else 0.0
