r"""Sums, products, limits and extremes, and what their indices run over.

`\sum_{i=1}^{n}` says it all. `\sum_i x_i` runs over the entries of x: its end is marked `EXTENT`, and is
known once shapes are. `\sum_{i<j}` and `\sum_{1 \le i < j \le n}` have conditions.
"""

from abc import abstractmethod
from dataclasses import dataclass
from itertools import pairwise

from verifier.expr import syntax as S
from verifier.expr.tex import notation
from verifier.expr.tex.letters import word
from verifier.expr.tex.spelling import EXTENT as EXTENT
from verifier.expr.tex.spelling import Spelled
from verifier.expr.tex.stream import joined
from verifier.expr.tex.tokens import Token

_CONDITIONS = {"<": "<", ">": ">", r"\le": "<=", r"\ge": ">=", r"\ne": "!="}
_DOTS = frozenset({r"\dots", r"\ldots", r"\cdots", r"\dotsc"})


@dataclass(frozen=True)
class Binder:
    """Indices with their ends, and conditions between them."""

    ranges: tuple[tuple[S.Name, S.Syntax, S.Syntax], ...]
    conditions: tuple[S.Compare, ...] = ()


class Sums(Spelled):
    """The rules for what binds."""

    @abstractmethod
    def term(self) -> S.Syntax: ...

    def scripts(self) -> tuple[list[Token], list[Token]]:
        below: list[Token] = []
        above: list[Token] = []
        while self.meets("_", "^"):
            is_below = self.take().text == "_"
            found = self.script()
            below, above = (found, above) if is_below else (below, found)
        return below, above

    def big_sum(self) -> S.Syntax:
        sign = self.take()
        below, above = self.scripts()
        binder = self.binder(below, above, sign)
        before = self.bound
        for index, _, _ in binder.ranges:
            self.bind(index.name)
        conditions = binder.conditions
        body = self.term()
        self.bound = before
        ends = [part for bounds in binder.ranges for part in bounds]
        args = (body, *ends, *conditions)
        return S.Call(self.from_here(sign.span), notation.SUMS[sign.text], sign.span, args, ())

    def binder(self, below: list[Token], above: list[Token], sign: Token) -> Binder:
        """What stands below and above a sum."""
        texts = [token.text for token in below]
        parts = self.split(below)
        first = next((at for at, part in enumerate(parts) if len(part) > 2 and part[1].text == "="), None)
        if above and first is not None and all(len(part) == 1 for part in parts[:first]):
            low, high = self.within(parts[first][2:]), self.within(above)
            names = [self.index_name(part[0]) for part in parts[: first + 1]]
            return Binder(
                tuple((name, low, high) for name in names), self.conditions(parts[first + 1 :], names, sign)
            )
        if above or not below:
            raise self.refusal("a sum without its range", r"write \sum_{i=1}^{n}", sign.span)
        if texts[1:2] == [r"\in"]:
            return self.members(below, sign)
        signs = [at for at, text in enumerate(texts) if text in _CONDITIONS]
        if signs:
            return self.ordered(below, signs, sign)
        if any(not token.is_letter for part in parts for token in part):
            raise self.refusal("a sum without its range", r"write \sum_{i=1}^{n}", sign.span)
        return Binder(tuple(self.whole(self.index_name(token)) for part in parts for token in part))

    def conditions(self, parts: list[list[Token]], names: list[S.Name], sign: Token) -> tuple[S.Compare, ...]:
        r"""j \ne i after j = 1."""
        before, found = self.bound, []
        for name in names:
            self.bind(name.name)
        for part in parts:
            places = [at for at, token in enumerate(part) if token.text in _CONDITIONS]
            if len(places) != 1:
                raise self.refusal("this condition of a sum is not read", r"write j \ne i", sign.span)
            left, right = self.within(part[: places[0]]), self.within(part[places[0] + 1 :])
            found.append(S.Compare(joined(left, right), _CONDITIONS[part[places[0]].text], left, right))
        self.bound = before
        return tuple(found)

    def whole(self, index: S.Name) -> tuple[S.Name, S.Syntax, S.Syntax]:
        """Over all there are."""
        end = S.Call(index.span, EXTENT, index.span, (index,), ())
        return index, S.Literal(index.span, "1"), end

    def members(self, below: list[Token], sign: Token) -> Binder:
        r"""i \in [n], i \in \{1, \dots, n\}."""
        index, inner = self.index_name(below[0]), below[3:-1]
        texts = [token.text for token in below]
        if texts[2:3] == ["["] and texts[-1] == "]" and "," not in texts:
            return Binder(((index, S.Literal(index.span, "1"), self.within(inner)),))
        if texts[2:3] == [r"\{"] and texts[-1] == r"\}":
            return Binder(((index, *self.listed_range(inner, sign)),))
        raise self.refusal("a sum over a set", r"write \sum_{i=1}^{n}", sign.span)

    def listed_range(self, tokens: list[Token], sign: Token) -> tuple[S.Syntax, S.Syntax]:
        r"""1, \dots, n or 1, 2, \dots, n."""
        parts = self.split(tokens)
        dots = [at for at, part in enumerate(parts) if len(part) == 1 and part[0].text in _DOTS]
        shown = ["".join(token.text for token in part) for part in parts]
        counted = len(parts) == 3 or (len(parts) == 4 and shown[:2] in (["1", "2"], ["0", "1"]))
        if len(dots) != 1 or dots[0] != len(parts) - 2 or not counted:
            raise self.refusal("this list of values is not read", r"write 1, \dots, n", sign.span)
        return self.within(parts[0]), self.within(parts[-1])

    def ordered(self, below: list[Token], signs: list[int], sign: Token) -> Binder:
        r"""i \ne j; 1 \le i \le n; 1 \le i < j \le n."""
        cuts = [-1, *signs, len(below)]
        pieces = [below[a + 1 : b] for a, b in pairwise(cuts)]
        ops = [_CONDITIONS[below[at].text] for at in signs]
        fresh = [at for at, piece in enumerate(pieces) if self._is_fresh(piece)]
        if not fresh:
            raise self.refusal("a sum without its range", r"write \sum_{i=1}^{n}", sign.span)
        inner = pieces[fresh[0] : fresh[-1] + 1]
        ends_shown = (fresh[0] == 1, fresh[-1] == len(pieces) - 2)
        if len(inner) != len(fresh) or len(fresh) > 3:
            raise self.refusal("this range of a sum is not read", r"write \sum_{i=1}^{n}", sign.span)
        names = [self.index_name(piece[0]) for piece in inner]
        if len(pieces) == len(names) + 2 and all(ends_shown) and ops[0] == ops[-1] == "<=":
            low, high = self.within(pieces[0]), self.within(pieces[-1])
            ranges = tuple((name, low, high) for name in names)
            conditions = [
                S.Compare(joined(a, b), op, a, b)
                for a, op, b in zip(names, ops[1:-1], names[1:], strict=False)
            ]
            return Binder(ranges, tuple(conditions))
        if len(names) == len(pieces) == 2 and self.letters.pairs(names):
            pair = S.Compare(joined(*names), ops[0], *names)
            return Binder(tuple(self.whole(name) for name in names), (pair,))
        if self.is_open and len(names) > 1:
            message = "whether both indices run or one is fixed is not said"
            raise self.refusal(message, r"write \sum_{i=1}^{n} \sum_{j \ne i}", sign.span)
        for name in names:
            self.bind(name.name)
        sides = [self.within(piece) for piece in pieces]
        found = [S.Compare(joined(a, b), op, a, b) for a, op, b in zip(sides, ops, sides[1:], strict=False)]
        return Binder(tuple(self.whole(name) for name in names), tuple(found))

    def _is_fresh(self, piece: list[Token]) -> bool:
        """An index that nothing around binds or declares."""
        return len(piece) == 1 and piece[0].is_letter and not self.is_known(word(piece[0]) or "")

    def limit(self) -> S.Syntax:
        sign = self.take()
        below, _ = self.scripts()
        arrow = next((at for at, token in enumerate(below) if token.text == r"\to"), 0)
        if not arrow:
            raise self.refusal("a limit without its variable", r"write \lim_{n \to \infty}", sign.span)
        variable, target = self.within(below[:arrow]), self.within(below[arrow + 1 :])
        before = self.bound
        if self.is_open and isinstance(variable, S.Name):
            self.bind(variable.name)  # a_n is a value of a sequence, not a letter of its own
        args = (self.term(), variable, target)
        self.bound = before
        return S.Call(self.from_here(sign.span), "limit", sign.span, args, ())

    def extreme(self) -> S.Syntax:
        sign = self.take()
        below, _ = self.scripts()
        if any(token.text in (r"\in", *_CONDITIONS, "=", ":") for token in below):
            hint = "name the letters alone, and state the condition as an assumption"
            raise self.refusal("a condition under an extreme is not read", hint, sign.span)
        over = self.listed(below) if below else ()
        args = (self.term(), *over)
        return S.Call(self.from_here(sign.span), notation.EXTREMES[sign.text], sign.span, args, ())

    def listed(self, tokens: list[Token]) -> tuple[S.Syntax, ...]:
        """What stands between commas."""
        return tuple(self.within(part) for part in self.split(tokens))
