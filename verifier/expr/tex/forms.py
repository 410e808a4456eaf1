r"""Atoms: numbers, fractions, roots, norms, functions, sums, limits; letters are in `spelling.py`."""

from abc import abstractmethod

from verifier.expr import syntax as S
from verifier.expr.errors import Span
from verifier.expr.functions import USAGE
from verifier.expr.tex import notation
from verifier.expr.tex.calculus import Derivatives
from verifier.expr.tex.letters import FONTS
from verifier.expr.tex.stream import shown
from verifier.expr.tex.tokens import Token

PLAIN_NORM = "‖"
EXPECTATION_OVER = "E over"


class Forms(Derivatives):
    """One rule per form."""

    @abstractmethod
    def sum(self) -> S.Syntax: ...

    @abstractmethod
    def relation(self, left: S.Syntax | None) -> S.Syntax: ...

    @abstractmethod
    def bracketed(self) -> S.Syntax: ...

    @abstractmethod
    def raised(self, tree: S.Syntax, start: Token, script: list[Token]) -> S.Syntax: ...

    def atom(self) -> S.Syntax:
        token = self.next
        declared = self.letters.declared(self.tokens, self.at)
        if declared is not None:
            return self.named(*declared)
        if token.is_digit or token.text == ".":
            return self.number()
        if token.text in notation.BRACKETS:
            return self.bracketed()
        if token.text in ("‖", "|") and token.side == "open":
            return self.bars()
        match token.text:
            case r"\frac" | r"\binom":
                return self.fraction()
            case r"\sqrt":
                return self.root()
            case r"\langle":
                return self.inner()
            case r"\infty":
                return S.Name(self.take().span, "oo")
            case r"\pi":
                return S.Name(self.take().span, "pi")
            case r"\lim":
                return self.limit()
            case r"\norm" | r"\abs":
                return self.macro_bars()
            case r"\nabla":
                return self.gradient()
            case r"\partial":
                return self.partial()
            case "{":
                return self.invisible()
        if token.text in notation.SUMS:
            return self.big_sum()
        if token.text in notation.EXTREMES:
            return self.extreme()
        return self.function() or self.constant() or self.letter()

    # -- numbers, groups, fractions, roots

    def number(self) -> S.Syntax:
        start = self.next.span
        text, end = "", start.start
        while (self.next.is_digit or (self.next.text == "." and self.after().is_digit)) and (
            self.next.span.start == end
        ):
            token = self.take()
            text, end = text + token.text, token.span.end
        if not text or text.count(".") > 1:
            raise self.refusal("this is not a number", span=start)
        return S.Literal(Span(start.start, end), text if text[0] != "." else f"0{text}")

    def invisible(self) -> S.Syntax:
        """Braces are not printed: what they hold must be a factor anyway."""
        start = self.next.span
        tree = self.within(self.argument())
        if isinstance(tree, S.Unary) or (isinstance(tree, S.Binary) and tree.op in "+-/"):
            raise self.refusal("braces are not printed", "write brackets", start)
        return tree

    def fraction(self) -> S.Syntax:
        sign = self.take()
        above, below = self.argument(), self.argument()
        span = self.from_here(sign.span)
        if sign.text == r"\binom":
            return S.Call(span, "binomial", sign.span, (self.within(above), self.within(below)), ())
        derivative = self.derivative(above, below, sign)
        if derivative is not None:
            return derivative
        return S.Binary(span, "/", self.within(above), self.within(below))

    def root(self) -> S.Syntax:
        sign = self.take()
        if self.meets("["):
            raise self.refusal("a root of another degree", "write it as a power")
        arg = self.within(self.argument())
        return S.Call(self.from_here(sign.span), "sqrt", sign.span, (arg,), ())

    # -- fences

    def bars(self) -> S.Syntax:
        opened = self.take()
        inner = self.sum()
        if not self.closes(opened.text):
            raise self.refusal(f"expected {opened.text} to close, not {self.next.text}")
        self.take()
        return self.bar_call(opened, inner)

    def macro_bars(self) -> S.Syntax:
        sign = self.take()
        inner = self.within(self.argument())
        bar = "‖" if sign.text == r"\norm" else "|"
        return self.bar_call(Token(bar, sign.span), inner)

    def bar_call(self, opened: Token, inner: S.Syntax) -> S.Syntax:
        span = self.from_here(opened.span)
        if opened.text == "|":
            return S.Call(span, "|", opened.span, (inner,), ())
        if not self.meets("_"):
            return S.Call(span, PLAIN_NORM, opened.span, (inner,), ())
        self.take()
        script = self.script()
        kind = notation.NORMS.get(
            "".join(token.text for token in script if token.text not in FONTS | {"{", "}"})
        )
        if kind is None:
            raise self.refusal(f"the norm with index {shown(script)} is not known", span=script[0].span)
        span = self.from_here(opened.span)
        if kind == "fro":
            return S.Call(span, "norm", opened.span, (inner,), ())
        if kind == "oo":
            return S.Call(span, "norm", opened.span, (inner, S.Name(span, "oo")), ())
        return S.Call(span, "norm", opened.span, (inner, S.Literal(span, kind)), ())

    def inner(self) -> S.Syntax:
        opened = self.take()
        left = self.sum()
        self.demand(",", opened)
        right = self.sum()
        self.demand(r"\rangle", opened)
        return S.Call(self.from_here(opened.span), "inner", opened.span, (left, right), ())

    # -- functions

    def function(self) -> S.Syntax | None:
        """A function by its command, by its word in upright type, or as growth."""
        start = self.at
        name = self.function_name()
        if name is None:
            self.at = start
            return None
        return self.call(name, self.tokens[start])

    def function_name(self) -> str | None:
        token = self.take()
        if token.text in notation.COMMANDS:
            return notation.COMMANDS[token.text]
        if token.text in (r"\mathbb", r"\mathcal") and self.meets("E", "P", "O", "V"):
            inner = self.take().text
            known = (token.text == r"\mathcal") == (inner == "O")
            return {"V": "Var"}.get(inner, inner) if known else None
        if token.text == "P" and self.next.text in notation.BRACKETS and not self.letters.knows("P"):
            return "P" if self.holds_relation() else None
        if token.text in notation.UPRIGHT:
            script = self.argument()
            return notation.WORDS.get("".join(item.text for item in script if item.text not in FONTS))
        if token.text in notation.GROWTH and self.meets("(") and not self.letters.knows(token.text):
            return notation.GROWTH[token.text]
        if token.text in (r"\Phi", r"\phi") and self.meets("("):
            return token.text[1:]
        return None

    def holds_relation(self) -> bool:
        """Whether the bracket that comes next holds an event."""
        depth = 0
        for token in self.tokens[self.at :]:
            depth += (token.text in notation.BRACKETS) - (token.text in notation.BRACKETS.values())
            if depth == 1 and token.text in notation.RELATIONS:
                return True
            if depth == 0:
                break
        return False

    def call(self, name: str, start: Token) -> S.Syntax:
        if name in notation.LATER and name not in USAGE:
            raise self.refusal(f"the claim language has no {notation.LATER[name]} yet", span=start.span)
        exponent = self.function_power(name)
        over: tuple[S.Syntax, ...] = ()
        if self.meets("_") and name == "E":
            self.take()
            script = self.script()
            if any(token.text in (r"\sim", r"\in") for token in script):
                hint = "name the letters alone, and declare their law"
                raise self.refusal("a law below an expectation is not read", hint, script[0].span)
            over = self.listed(script)
        elif self.meets("_"):
            message = f"a subscript on {name} is not read"
            raise self.refusal(message, "leave it out: the language has one meaning for each function")
        given: tuple[S.Keyword, ...] = ()
        if self.next.text in notation.BRACKETS:
            opened = self.next
            args, given = self.arguments(name)
            if name == "E" and opened.text == "(" and not given:
                args = self._squared_inside(args, opened)
            # tr(B)^2: brackets around a single letter are those of the function.
            is_outside = name in notation.POWERS_OUTSIDE or (name == "tr" and isinstance(args[0], S.Name))
            if self._meets_power() and not is_outside:
                hint = "put brackets around all of it, or the power inside"
                raise self.refusal(f"a power after {name}(...) is ambiguous", hint)
        else:
            args = (self.bare_argument(name),)
        span = self.from_here(start.span)
        tree: S.Syntax = S.Call(span, name, start.span, args, given)
        if over:
            tree = S.Call(span, EXPECTATION_OVER, start.span, (tree, *over), ())
        return tree if exponent is None else S.Binary(span, "**", tree, exponent)

    def _squared_inside(self, args: tuple[S.Syntax, ...], opened: Token) -> tuple[S.Syntax, ...]:
        r"""\mathbb{E}(x - y)^2 is the mean of the square: round brackets around a sum are those of the
        power."""
        is_sum = len(args) == 1 and isinstance(args[0], S.Binary) and args[0].op in "+-"
        if not is_sum or not self.meets("^") or not self.after().is_digit:
            return args
        self.take()
        return (self.raised(args[0], opened, self.argument()),)

    def _meets_power(self) -> bool:
        r"""A power, also one behind a subscript: \mathbb{E}(W x)_i^2."""
        place = self.at
        if self.meets("_"):
            self.take()
            self.script()
        found, self.at = self.meets("^"), place
        return found

    def function_power(self, name: str) -> S.Syntax | None:
        r"""\sin^2 x is the square of sin x; \sin^{-1} is refused, and so is \mathbb{E}^2."""
        if not self.meets("^"):
            return None
        self.take()
        script = self.script()
        if name == "E" or not all(token.is_digit for token in script):
            raise self.refusal(
                f"the power of {name} is ambiguous", "put brackets around all of it", script[0].span
            )
        return self.within(script)

    def arguments(self, name: str) -> tuple[tuple[S.Syntax, ...], tuple[S.Keyword, ...]]:
        r"""What stands between brackets: arguments, and after \mid what is given."""
        opened = self.take()
        args = [self.relation(self.sum()) if name == "P" else self.sum()]
        given: list[S.Syntax] = []
        while self.meets(",", r"\mid"):
            if self.take().text == r"\mid" or given:
                given.append(self.sum())
            else:
                args.append(self.sum())
        self.demand(notation.BRACKETS[opened.text], opened)
        if not given:
            return tuple(args), ()
        span = Span(given[0].span.start, given[-1].span.end)
        return tuple(args), (S.Keyword(span, "given", S.Listing(span, tuple(given))),)

    def begins_expectation(self) -> bool:
        inner = self.after().text if self.meets(r"\mathbb", r"\operatorname") else self.next.text
        return inner in ("E", r"\E") and not self.letters.knows("E")

    def bare_argument(self, name: str) -> S.Syntax:
        """`\\log n`, `\\mathbb{E}\\|x\\|^2`: one factor, and nothing that could belong to it after it."""
        place, is_fraction = self.next.span, self.meets(r"\frac")
        arg = self.factor()
        if isinstance(arg, S.Binary) and name not in ("E", "Var"):
            # \log \frac{a}{b} ends with its bar, and tr H^2 is that of the square: (tr H)^2 has brackets.
            is_whole = (is_fraction and arg.op == "/") or (name == "tr" and arg.op == "^")
            if not is_whole:
                raise self.refusal(f"what {name} takes is ambiguous", "write brackets", place)
        if name == "E" and self.begins_expectation():
            return arg  # the mean of the second is a number: both ways to read it agree
        if self.begins_factor() or self.meets("/", r"\cdot", r"\times", "*", r"\otimes", r"\odot"):
            raise self.refusal(f"where {name} ends is ambiguous", "write brackets")
        return arg
