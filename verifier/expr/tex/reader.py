r"""Tokens to syntax: relations, sums, products, powers, fences.

Products need no sign in print, which is where formulas become ambiguous. What is read is what cannot be
meant otherwise: `1/2n`, `\log n d`, `\mathbb{E}[x]^2` are refused.
"""

from verifier.expr import syntax as S
from verifier.expr.errors import Span
from verifier.expr.functions import USAGE
from verifier.expr.tex.forms import Forms
from verifier.expr.tex.notation import (
    BRACKETS,
    FOREIGN,
    GROWS,
    LATER,
    LOEWNER,
    RELATIONS,
    STOPS,
    TRANSPOSES,
)
from verifier.expr.tex.stream import MAX_DEPTH, joined
from verifier.expr.tex.tokens import END, Token

# The product without a sign; which one it is depends on the shapes.
PRODUCT = "·"
SCALAR_PRODUCT = "×"
POWER = "^"


class Reader(Forms):
    """A formula: an expression, a relation between two, or a chain of relations."""

    def statements(self) -> tuple[S.Syntax, ...]:
        """The relations of a chain in order; one for a single relation or an expression."""
        if self.meets("["):
            found: tuple[S.Syntax, ...] = (self.interval_or_sum(),)
        else:
            found = self.chain(self.sum())
        if not self.meets(END):
            raise self.unexpected()
        return found

    def chain(self, left: S.Syntax) -> tuple[S.Syntax, ...]:
        found: list[S.Syntax] = []
        while True:
            tree = self.relation(left)
            if tree is left:
                return tuple(found) or (left,)
            found.append(tree)
            if not isinstance(tree, S.Compare) or self.next.text not in RELATIONS:
                return tuple(found)
            left = tree.right

    def relation(self, left: S.Syntax | None) -> S.Syntax:
        if left is None:
            return self.interval_or_sum()
        if self.meets(r"\in") and self._is_growth(self.at + 1):
            self.take()
            return self.compared("==", left, self.sum())
        if self.meets(r"\in"):
            self.take()
            ends = self.interval()
            return S.Compare(joined(left, ends), "in", left, ends)
        if self.meets(*LOEWNER):
            return self.loewner(left)
        if self.next.text in RELATIONS:
            return self.compared(RELATIONS[self.take().text], left, self.sum())
        return left

    def compared(self, op: str, left: S.Syntax, right: S.Syntax) -> S.Syntax:
        """`f = O(g)` bounds f from above, and `f = \\Omega(g)` from below."""
        if op == "==" and isinstance(right, S.Call) and right.function in GROWS:
            op = GROWS[right.function]
        return S.Compare(joined(left, right), op, left, right)

    def _is_growth(self, at: int) -> bool:
        shown = "".join(token.text for token in self.tokens[at : at + 3])
        return shown.startswith(("O(", r"\mathcalO(", r"\Theta(", r"\Omega(")) or shown == r"\mathcalO"

    def loewner(self, left: S.Syntax) -> S.Syntax:
        r"""A \preceq B says that B - A is positive semidefinite."""
        sign = self.take()
        if "psd" not in USAGE:
            message = f"the claim language has no {LATER['psd']} yet"
            raise self.refusal(message, "compare x^\\top A x and x^\\top B x for every x", sign.span)
        right = self.sum()
        low, high = (left, right) if sign.text == r"\preceq" else (right, left)
        span = joined(left, right)
        return S.Call(span, "psd", sign.span, (S.Binary(span, "-", high, low),), ())

    def interval_or_sum(self) -> S.Syntax:
        """[a, b] alone is the right side of `in`; otherwise the bracket is just a bracket."""
        start = self.at
        depth = 0
        for token in self.tokens[start:]:
            depth += (token.text in BRACKETS) - (token.text in BRACKETS.values())
            if depth == 1 and token.text == ",":
                return self.interval()
            if depth == 0:
                break
        return self.relation(self.sum())

    def interval(self) -> S.Listing:
        opened = self.next
        if not self.meets("["):
            raise self.refusal("expected a closed interval [a, b]")
        self.take()
        low = self.sum()
        self.demand(",", opened)
        high = self.sum()
        closed = self.demand("]", opened)
        return S.Listing(Span(opened.span.start, closed.span.end), (low, high))

    def unexpected(self) -> Exception:
        if self.next.text in FOREIGN or self.next.text in (r"\in", ":"):
            return self.refusal(f"{self.next.text} is not a relation of the claim language")
        return self.refusal(f"{self.next.text} was not expected here")

    # -- sums and products

    def sum(self) -> S.Syntax:
        sign = self.take() if self.meets("-", "+") else None
        tree = self.term()
        if sign is not None and sign.text == "-":
            tree = S.Unary(Span(sign.span.start, tree.span.end), "-", tree)
        while self.meets("+", "-"):
            op = self.take().text
            right = self.term()
            tree = S.Binary(joined(tree, right), op, tree, right)
        return tree

    def term(self) -> S.Syntax:
        r"""Products joined by \otimes; \odot joins single factors, since what it takes is not agreed upon."""
        tree, count = self.product()
        while self.meets(r"\otimes", r"\odot"):
            sign = self.take()
            right, right_count = self.product()
            if sign.text == r"\odot" and (count > 1 or right_count > 1):
                hint = "put brackets around what it joins"
                raise self.refusal(r"\odot next to a product is ambiguous", hint, sign.span)
            span = joined(tree, right)
            if sign.text == r"\otimes":
                tree, count = S.Call(span, "kron", sign.span, (tree, right), ()), 2
            else:
                tree, count = S.Binary(span, "*", tree, right), 1
        return tree

    def product(self) -> tuple[S.Syntax, int]:
        """Factors side by side, and how many."""
        tree, count = self.factor(), 1
        while True:
            if self.meets("/"):
                slash = self.take()
                right = self.factor()
                if self.begins_factor():
                    hint = r"write \frac{..}{..}, or brackets"
                    raise self.refusal("what stands below the slash is ambiguous", hint, slash.span)
                tree = S.Binary(joined(tree, right), "/", tree, right)
            elif self.meets(r"\cdot", "*", r"\times"):
                op = SCALAR_PRODUCT if self.take().text == r"\times" else PRODUCT
                right = self.factor()
                tree, count = S.Binary(joined(tree, right), op, tree, right), count + 1
            elif self.begins_factor():
                if self.next.is_digit and self.tokens[self.at - 1].is_digit:
                    raise self.refusal("two numbers side by side", r"join them, or write \cdot")
                right = self.factor()
                tree, count = S.Binary(joined(tree, right), PRODUCT, tree, right), count + 1
            else:
                return tree, count

    def begins_factor(self) -> bool:
        token = self.next
        if token.text in ("‖", "|"):
            return token.side == "open"
        return token.text not in STOPS and token.text != END and token.side != "close"

    # -- factors

    def factor(self) -> S.Syntax:
        """An atom with its powers, transposes and factorials."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.refusal(f"nested more than {MAX_DEPTH} deep")
        start = self.next
        tree = self.postfix(self.atom(), start)
        self.depth -= 1
        return tree

    def postfix(self, tree: S.Syntax, start: Token) -> S.Syntax:
        while True:
            if self.meets("^"):
                self.take()
                tree = self.power(tree, start)
            elif self.meets("!"):
                self.take()
                double = self.meets("!")
                if double:
                    self.take()
                name = "factorial2" if double else "factorial"
                span = self.from_here(start.span)
                tree = S.Call(span, name, span, (tree,), ())
            elif self.meets("'", r"\prime"):
                raise self.refusal("a prime is part of a name", "declare the whole letter under `names:`")
            elif self.meets("_"):
                tree = self.indexed(tree, start)
            else:
                return tree

    def power(self, tree: S.Syntax, start: Token) -> S.Syntax:
        return self.raised(tree, start, self.script())

    def raised(self, tree: S.Syntax, start: Token, script: list[Token]) -> S.Syntax:
        """A transpose, an entrywise power, or a power."""
        texts = [token.text for token in script]
        span = self.from_here(start.span)
        if texts == [r"\top"] or tuple(text for text in texts if text not in "{}") in TRANSPOSES:
            return S.Transposed(span, tree)
        if texts == ["T"] and self.letters.is_number("T") and self.is_of_numbers(tree):
            return S.Binary(span, POWER, tree, self.within(script))
        if texts == ["T"]:
            if self.letters.knows("T"):
                hint = r"write \top for the transpose"
                raise self.refusal(
                    "^T may be a power or a transpose: T is a declared name", hint, script[0].span
                )
            return S.Transposed(span, tree)
        if texts and texts[0] in (r"\odot", r"\circ"):
            return S.Binary(span, "**", tree, self.within(script[1:]))
        if texts and not set(texts) - {"'", r"\prime", "*", r"\dagger", "+", r"\star", r"\ast"}:
            message = f"the mark ^{''.join(texts)} is part of a name"
            raise self.refusal(message, "declare the whole letter under `names:`", script[0].span)
        return S.Binary(span, POWER, tree, self.within(script))

    def is_of_numbers(self, tree: S.Syntax) -> bool:
        """Whether nothing stands here but numbers, of which nobody takes a transpose."""
        match tree:
            case S.Name(_, name):
                return name in self.bound or self.letters.is_number(name)
            case S.Binary() | S.Unary() | S.Literal():
                return all(map(self.is_of_numbers, S.parts(tree)))
        return False

    def bracketed(self) -> S.Syntax:
        opened = self.take()
        inner = self.sum()
        if self.meets(","):
            raise self.refusal("a comma between brackets: a function's arguments, or an interval?")
        closed = self.demand(BRACKETS[opened.text], opened)
        return respanned(inner, Span(opened.span.start, closed.span.end))

    def within(self, tokens: list[Token]) -> S.Syntax:
        """A script or an argument, read as an expression of its own."""
        inner = type(self)(tokens, self.letters, self.bound)
        inner.depth = self.depth + 1
        if not tokens:
            raise self.refusal("nothing stands here")
        tree = inner.sum()
        if not inner.meets(END):
            raise inner.unexpected()
        self.differentials += inner.differentials
        return tree


def respanned(tree: S.Syntax, span: Span) -> S.Syntax:
    values = {name: getattr(tree, name) for name in tree.__dataclass_fields__ if name != "span"}
    return type(tree)(span, **values)
