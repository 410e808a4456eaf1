r"""Trees of printed formulas as text of the claim language, as far as the ranks of their letters are known.

A rank is the number of sizes: 0 of a number, 1 of a column, 2 of a matrix. A product without a sign is `@`
between two that are no numbers, and `*` otherwise; bars around a matrix are refused, as they are everywhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from verifier.expr import syntax as S
from verifier.expr.functions import USAGE
from verifier.expr.nodes import ROWWISE, UNARY
from verifier.expr.tex.untyped import PLAIN_NORM, POWER, PRODUCT, SCALAR_PRODUCT
from verifier.read.prose.values import Unsayable

ATOM, _POWER, _MINUS, _PRODUCT, _SUM = 5, 4, 3, 2, 1
_SIZED = {"eye": 2, "ones": 0, "zeros": 0}  # how many sizes their values have; 0: as many as are printed
_TO_NUMBERS = frozenset({"norm", "tr", "inner", "P", "factorial", "binomial", "factorial2"})


class Unsettled(Unsayable):
    """The text depends on a shape, or on what a name stands for, that is not known here."""

    def __init__(self, what: str) -> None:
        super().__init__(f"what {what} is here depends on shapes that are not said", "say them first")


@dataclass(frozen=True)
class _Piece:
    text: str
    level: int
    rank: int | None  # None if it is not known

    def within(self, least: int) -> str:
        return self.text if self.level >= least else f"({self.text})"


@dataclass(frozen=True)
class Wording:
    """What letters are: their ranks by name; None if every letter is a number."""

    ranks: Mapping[str, int] | None
    families: Mapping[str, int] = field(default_factory=dict)  # the ranks of their members
    indices: frozenset[str] = frozenset()

    def text(self, tree: S.Syntax) -> str:
        return self.piece(tree).text

    def piece(self, tree: S.Syntax) -> _Piece:
        match tree:
            case S.Literal(_, literal):
                return _Piece(literal, ATOM, 0)
            case S.Name(_, name):
                return _Piece(name, ATOM, self._rank(name))
            case S.Unary(_, op, arg):
                inner = self.piece(arg)
                return _Piece(f"{op}{inner.within(_MINUS)}", _MINUS, inner.rank)
            case S.Binary(_, op, left, right):
                return self._binary(op, self.piece(left), self.piece(right))
            case S.Transposed(_, arg):
                inner = self.piece(arg)
                rank = 2 if inner.rank else inner.rank
                return _Piece(f"{inner.within(ATOM)}.T", ATOM, rank)
            case S.Subscript(_, S.Name(_, name), (index,)) if name in self.families:
                return _Piece(f"{name}[{self.text(index)}]", ATOM, self.families[name])
            case S.Subscript(_, arg, indices):
                return self._entry(self.piece(arg), tuple(self.text(item) for item in indices))
            case S.Call():
                return self._call(tree)
        raise Unsayable("this expression is not read inside a sentence", "name it with `let`")

    def _rank(self, name: str) -> int | None:
        if self.ranks is None or name in self.indices or name in ("oo", "pi"):
            return 0
        return self.ranks.get(name)

    def _binary(self, op: str, left: _Piece, right: _Piece) -> _Piece:
        ranks = (left.rank, right.rank)
        match op:
            case "+" | "-":
                rank = left.rank if left.rank == right.rank else None
                return _Piece(f"{left.within(_SUM)} {op} {right.within(_PRODUCT)}", _SUM, rank)
            case "/":
                return _Piece(f"{left.within(_PRODUCT)}/{right.within(_MINUS)}", _PRODUCT, left.rank)
            case "*":
                rank = None if None in ranks else max(left.rank or 0, right.rank or 0)
                return _Piece(f"{left.within(_PRODUCT)}*{right.within(_MINUS)}", _PRODUCT, rank)
            case _ if op in (PRODUCT, SCALAR_PRODUCT):
                return self._product(op, left, right)
            case _ if op in (POWER, "**"):
                if ranks != (0, 0):
                    raise Unsettled(op)
                return _Piece(f"{left.within(ATOM)}**{right.within(ATOM)}", _POWER, 0)
        raise Unsayable(f"{op} is not read inside a sentence")

    def _product(self, op: str, left: _Piece, right: _Piece) -> _Piece:
        if 0 in (left.rank, right.rank):
            rank = right.rank if left.rank == 0 else left.rank
            return _Piece(f"{left.within(_PRODUCT)}*{right.within(_MINUS)}", _PRODUCT, rank)
        if None in (left.rank, right.rank) or left.rank == 1:
            raise Unsettled(op)  # a column times what? an outer product needs its transpose
        if op == SCALAR_PRODUCT:
            raise Unsayable(r"\times between matrices is ambiguous", "leave it out")
        return _Piece(f"{left.within(_PRODUCT)} @ {right.within(_MINUS)}", _PRODUCT, right.rank)

    def _entry(self, of: _Piece, indices: tuple[str, ...]) -> _Piece:
        if self.ranks is not None and len(indices) != of.rank:
            raise Unsettled(of.text)
        return _Piece(f"{of.within(ATOM)}[{', '.join(indices)}]", ATOM, 0)

    def _call(self, tree: S.Call) -> _Piece:
        name = tree.function
        if tree.keywords:
            raise Unsayable("a condition inside brackets is not read inside a sentence")
        if name in ("sum", "prod"):
            return self._sum(tree)
        args = [self.piece(arg) for arg in tree.args]
        if name in (PLAIN_NORM, "|"):
            return self._bars(name, args[0])
        if name not in USAGE:
            raise Unsettled(name)
        if name in _TO_NUMBERS:
            return _Piece(f"{name}({', '.join(arg.text for arg in args)})", ATOM, 0)
        if name in ROWWISE and args[0].rank == 1:
            return _Piece(f"{name}({args[0].within(ATOM)}.T).T", ATOM, 1)
        if name in _SIZED:
            return _Piece(f"{name}({', '.join(arg.text for arg in args)})", ATOM, _SIZED[name] or len(args))
        if all(arg.rank == 0 for arg in args) or (len(args) == 1 and name in UNARY):
            return _Piece(f"{name}({', '.join(arg.text for arg in args)})", ATOM, args[0].rank)
        raise Unsettled(name)

    def _sum(self, tree: S.Call) -> _Piece:
        body, index, low, high = tree.args
        assert isinstance(index, S.Name)
        inside = Wording(self.ranks, self.families, self.indices | {index.name})
        inner = inside.piece(body)
        ends = f"{index.name}, {self.text(low)}, {self.text(high)}"
        return _Piece(f"{tree.function}({inner.text}, {ends})", ATOM, inner.rank)

    def _bars(self, name: str, arg: _Piece) -> _Piece:
        if arg.rank is None:
            raise Unsettled(name)
        if arg.rank == 2:
            raise Unsayable(
                "bars around a matrix: which norm?", r"print \|...\|_F, \|...\|_2, or |...| around numbers"
            )
        if name == "|" and arg.rank:
            raise Unsayable("single bars around a vector are ambiguous", r"print \|...\|")
        return _Piece(f"{'abs' if arg.rank == 0 else 'norm'}({arg.text})", ATOM, 0)
