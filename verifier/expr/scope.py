"""What names mean where an expression stands."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from verifier.expr.dims import Dim
from verifier.expr.errors import ExprError, Span
from verifier.expr.functions import RESERVED, USAGE
from verifier.expr.nodes import Index, Infinity, Let, Node, Number, Pi, Symbol
from verifier.expr.symbols import Declared, Dimension, Function, Integer, Sequence


@dataclass(frozen=True)
class Scope:
    """Names in force: declared symbols, `let` names, fixed values, equal dimensions, indices; the
    symbols of a layer, each of which is one per layer; from where to where the indices of the sums around
    run, None inside a sum that may have no term."""

    symbols: Mapping[str, Declared] = field(default_factory=dict)
    lets: Mapping[str, Let] = field(default_factory=dict)
    values: Mapping[str, Fraction] = field(default_factory=dict)
    dims: Mapping[str, Dim] = field(default_factory=dict)
    indices: frozenset[str] = frozenset()
    state: Symbol | None = None
    layered: Mapping[str, Declared] = field(default_factory=dict)
    ranges: Mapping[str, tuple[Dim, Dim]] | None = field(default_factory=dict)

    def binding(self, index: str) -> "Scope":
        """The scope inside a sum over `index`."""
        return replace(self, indices=self.indices | {index})

    def reaching(self, ranges: Mapping[str, tuple[Dim, Dim]] | None) -> "Scope":
        return replace(self, ranges=ranges)

    def with_let(self, let: Let) -> "Scope":
        return replace(self, lets={**self.lets, let.name: let})

    def lookup(self, name: str, span: Span) -> Node:
        """What a bare name stands for."""
        if name in self.indices:
            return Index(name)
        if name in self.values:
            return Number(self.values[name])
        if name in self.lets:
            return self.lets[name]
        if name in self.symbols:
            declared = self.symbols[name]
            if isinstance(declared.kind, Function):
                raise ExprError("syntax", f"{name} is a function", span, f"write {name}(...)")
            if isinstance(declared.kind, Sequence):
                raise ExprError("family", f"{name} is a sequence", span, f"write {name}[i]")
            if declared.copies is not None:
                raise ExprError(
                    "family", f"{name} is a family of {declared.copies} copies", span, f"write {name}[h]"
                )
            return Symbol(name, declared.shape)
        if name == "pi":
            return Pi()
        if name == "oo":
            return Infinity()
        if name in self.layered:
            raise ExprError("layers", f"each layer has its own {name}", span, f"write {name}[l] for layer l")
        if name in USAGE:
            raise ExprError("syntax", f"{name} is a function", span, f"call it: {USAGE[name]}")
        raise unknown_name(name, span, {*self.indices, *self.values, *self.lets, *self.symbols, *RESERVED})

    def dimension(self, name: str) -> Dim | None:
        """The size that a name stands for, modulo the equalities assumed between dimensions."""
        if name in self.indices:
            return None
        if name in self.values:
            value = self.values[name]
            return Dim.of(int(value)) if value.denominator == 1 else None
        declared = self.symbols.get(name)
        if declared is None or not isinstance(declared.kind, Dimension | Integer):
            return None
        return self.dims.get(name, Dim.of(name))


def unknown_name(name: str, span: Span, known: Iterable[str]) -> ExprError:
    hint = suggestion(name, known)
    if hint is None and not name.startswith("__"):
        hint = "declare it under `symbols`, or name an expression so under `let`"
    return ExprError("unknown-name", f"unknown name {name!r}", span, hint)


def suggestion(word: str, known: Iterable[str]) -> str | None:
    """did you mean ...?"""
    options = sorted(known)
    close = difflib.get_close_matches(word, options, n=1, cutoff=0.6)
    # Names that differ in case alone (w_q for W_Q) are far apart for difflib, and near for people.
    close = close or [other for other in options if other.lower() == word.lower()]
    return f"did you mean {close[0]!r}?" if close else None
