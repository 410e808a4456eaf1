"""Tokens to a syntax tree: Python's precedence, a small part of its grammar, nothing evaluated."""

from dataclasses import dataclass
from functools import lru_cache
from typing import final

from verifier.expr.errors import ExprError, Span
from verifier.expr.tokens import Token, tokenize

MAX_DEPTH = 100
MAX_HEIGHT = 200
COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
_INFIX = {"+": 10, "-": 10, "*": 20, "/": 20, "@": 20}
_UNARY = 30


@dataclass(frozen=True, slots=True)
class Syntax:
    """A piece of an expression as it was written."""

    span: Span


@final
@dataclass(frozen=True, slots=True)
class Literal(Syntax):
    text: str


@final
@dataclass(frozen=True, slots=True)
class Name(Syntax):
    name: str


@final
@dataclass(frozen=True, slots=True)
class Unary(Syntax):
    op: str
    arg: Syntax


@final
@dataclass(frozen=True, slots=True)
class Binary(Syntax):
    op: str
    left: Syntax
    right: Syntax


@final
@dataclass(frozen=True, slots=True)
class Transposed(Syntax):
    arg: Syntax


@final
@dataclass(frozen=True, slots=True)
class Keyword(Syntax):
    name: str
    value: Syntax


@final
@dataclass(frozen=True, slots=True)
class Call(Syntax):
    function: str
    name_span: Span
    args: tuple[Syntax, ...]
    keywords: tuple[Keyword, ...]


@final
@dataclass(frozen=True, slots=True)
class Subscript(Syntax):
    arg: Syntax
    indices: tuple[Syntax, ...]


@final
@dataclass(frozen=True, slots=True)
class Listing(Syntax):
    """[a, b]: the right side of `in`, or several things given."""

    items: tuple[Syntax, ...]


@final
@dataclass(frozen=True, slots=True)
class Compare(Syntax):
    """left op right, where op is a comparison or `in`."""

    op: str
    left: Syntax
    right: Syntax


@lru_cache(maxsize=1024)
def parse(text: str) -> Syntax:
    """An expression, a relation or `expr in [a, b]`.

    Cached: the claims of a theorem share its symbols, names and assumptions.
    """
    parser = _Parser(text)
    tree = parser.whole()
    if len(parser.tokens) > MAX_HEIGHT:
        _bound_height(tree)
    return tree


def parts(tree: Syntax) -> tuple[Syntax, ...]:
    """The pieces directly below."""
    match tree:
        case Literal() | Name():
            return ()
        case Unary(arg=arg) | Transposed(arg=arg):
            return (arg,)
        case Binary(left=left, right=right) | Compare(left=left, right=right):
            return (left, right)
        case Keyword(value=value):
            return (value,)
        case Call(args=args, keywords=keywords):
            return (*args, *keywords)
        case Subscript(arg=arg, indices=indices):
            return (arg, *indices)
        case Listing(items=items):
            return items
    raise AssertionError(f"not a syntax node: {tree!r}")


def _bound_height(tree: Syntax) -> None:
    """A long chain a + b + c + ... nests to the left; later stages recurse over it."""
    level = [tree]
    for _ in range(MAX_HEIGHT):
        level = [part for node in level for part in parts(node)]
        if not level:
            return
    raise ExprError(
        "too-deep",
        f"more than {MAX_HEIGHT} operations nested in one expression",
        level[0].span,
        "name its parts under `let`",
    )


class _Parser:
    """Precedence climbing over a list of tokens."""

    def __init__(self, text: str) -> None:
        self.tokens = tokenize(text)
        self.at = 0
        self.depth = 0

    # -- the token stream

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def meets(self, *texts: str) -> bool:
        # No name, number or end of text looks like an operator.
        return self.tokens[self.at].text in texts

    def demand(self, text: str, opened: Token) -> Token:
        if self.meets(text):
            return self.take()
        found = self.next
        what = "the expression ends" if found.kind == "end" else f"there is {found.text!r}"
        raise ExprError(
            "syntax",
            f"expected {text!r} to close {opened.text!r}, but {what}",
            found.span,
            "a comma or an operator may be missing" if found.kind != "end" else None,
        )

    # -- the grammar

    def whole(self) -> Syntax:
        tree = self.relation()
        if self.next.kind != "end":
            raise self.surprise(self.next)
        return tree

    def surprise(self, token: Token) -> ExprError:
        if token.kind == "end":
            return ExprError("syntax", "the expression ends too early", token.span)
        hint = None
        if token.text in COMPARISONS or token.text == "in":
            hint = "one relation per claim; write a chain under `steps`"
        elif token.text == "=":
            hint = "equality is written =="
        elif token.kind in ("name", "number"):
            hint = "an operator is missing before it; products are written with * or @"
        return ExprError("syntax", f"did not expect {token.text!r} here", token.span, hint)

    def relation(self) -> Syntax:
        left = self.expression(0)
        token = self.next
        if self.meets(*COMPARISONS):
            self.take()
            right = self.expression(0)
            return Compare(_join(left, right), token.text, left, right)
        if token.kind == "name" and token.text == "in":
            self.take()
            opened = self.next
            if not self.meets("["):
                raise ExprError("syntax", "expected [low, high] after `in`", opened.span)
            ends = self.listing()
            if len(ends.items) != 2:
                raise ExprError("syntax", "an interval is [low, high]", ends.span)
            return Compare(_join(left, ends), "in", left, ends)
        return left

    def expression(self, binding: int) -> Syntax:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExprError(
                "too-deep",
                f"brackets or operators nested more than {MAX_DEPTH} deep",
                self.next.span,
                "name its parts under `let`",
            )
        left = self.unary()
        while self.next.kind == "op":
            op = self.next.text
            power = _INFIX.get(op)
            if power is None or power <= binding:
                break
            self.take()
            right = self.expression(power)
            left = Binary(_join(left, right), op, left, right)
        self.depth -= 1
        return left

    def unary(self) -> Syntax:
        if self.meets("-", "+"):
            token = self.take()
            arg = self.expression(_UNARY - 1)
            return arg if token.text == "+" else Unary(Span(token.start, arg.span.end), "-", arg)
        base = self.postfix()
        if self.meets("**"):
            self.take()
            # Right-associative, and the exponent may carry its own sign: 2**-n.
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise ExprError("too-deep", "a tower of powers", self.next.span)
            exponent = self.unary()
            self.depth -= 1
            return Binary(_join(base, exponent), "**", base, exponent)
        return base

    def postfix(self) -> Syntax:
        tree = self.atom()
        while self.meets(".", "["):
            if self.meets("["):
                listing = self.listing()
                tree = Subscript(_join(tree, listing), tree, listing.items)
                continue
            self.take()
            name = self.take()
            if name.text != "T":
                raise ExprError(
                    "syntax", f"no attribute {name.text!r}", name.span, "only .T, the transpose, is known"
                )
            tree = Transposed(Span(tree.span.start, name.end), tree)
        return tree

    def atom(self) -> Syntax:
        token = self.take()
        if token.kind == "number":
            return Literal(token.span, token.text)
        if token.kind == "name" and token.text != "in":
            return self.call(token) if self.meets("(") else Name(token.span, token.text)
        if token.kind == "op" and token.text == "(":
            inner = self.expression(0)
            closed = self.demand(")", token)
            # The brackets belong to the expression, so that a caret can show all of it.
            return _respan(inner, Span(token.start, closed.end))
        raise self.surprise(token)

    def call(self, name: Token) -> Syntax:
        opened = self.take()
        args: list[Syntax] = []
        keywords: list[Keyword] = []
        while not self.meets(")"):
            if self.next.kind == "name" and self.tokens[self.at + 1].text == "=":
                key = self.take()
                self.take()
                value = self.listing() if self.meets("[") else self.expression(0)
                keywords.append(Keyword(_join(Name(key.span, key.text), value), key.text, value))
            elif keywords:
                raise ExprError("syntax", "plain arguments come before named ones", self.next.span)
            else:
                args.append(self.relation())
            if not self.meets(","):
                break
            self.take()
        closed = self.demand(")", opened)
        span = Span(name.start, closed.end)
        return Call(span, name.text, name.span, tuple(args), tuple(keywords))

    def listing(self) -> Listing:
        opened = self.take()
        items = [self.expression(0)]
        while self.meets(","):
            self.take()
            items.append(self.expression(0))
        closed = self.demand("]", opened)
        return Listing(Span(opened.start, closed.end), tuple(items))


def _join(left: Syntax, right: Syntax) -> Span:
    return Span(left.span.start, right.span.end)


def _respan(tree: Syntax, span: Span) -> Syntax:
    values = {name: getattr(tree, name) for name in tree.__dataclass_fields__ if name != "span"}
    return type(tree)(span, **values)
