r"""Derivatives: `\frac{\partial f}{\partial x}`, `\partial_x f`, `\nabla_W f`.

A gradient has the shape of its variable and the language's `D` is a Jacobian, so a gradient is a mark of its
own until shapes are known: of a scalar it is D, of a vector the transpose of D, inside a norm either.
"""

from abc import abstractmethod

from verifier.expr import syntax as S
from verifier.expr.errors import Span
from verifier.expr.tex.sums import Sums
from verifier.expr.tex.tokens import Token

GRADIENT = "∇"
_UPRIGHT_D = (r"\mathrm", "d")


class Derivatives(Sums):
    """The rules for derivatives."""

    @abstractmethod
    def factor(self) -> S.Syntax: ...

    def derivative(self, above: list[Token], below: list[Token], sign: Token) -> S.Syntax | None:
        """A fraction that is one, or None."""
        skip = self._differential(above, below)
        if skip is None:
            return None
        over, under = above[skip:], below[skip:]
        span = self.from_here(sign.span)
        if over and over[0].text == "^":
            raise self.refusal("a derivative of higher order", "write it as derivatives of derivatives", span)
        if not under:
            raise self.refusal("a derivative of nothing", span=span)
        variable = self.within(under)
        if over:
            return S.Call(span, "D", sign.span, (self.within(over), variable), ())
        body = self.factor()
        if self.begins_factor():
            raise self.refusal("where the derivative ends is ambiguous", "put what is derived above the bar")
        return S.Call(self.from_here(sign.span), "D", sign.span, (body, variable), ())

    def _differential(self, above: list[Token], below: list[Token]) -> int | None:
        r"""How many tokens \partial, \mathrm{d} or d take on both sides."""
        texts = [[token.text for token in side] for side in (above, below)]
        if all(side[:1] == [r"\partial"] for side in texts):
            return 1
        if all(tuple(side[:2]) == _UPRIGHT_D for side in texts):
            return 2
        italic = all(side[:1] == ["d"] for side in texts) and len(below) > 1
        letters = all(side[1:2] != ["_"] and side[1:2] != ["^"] for side in texts)  # d_k/d_v is a ratio
        if not italic or not letters or self.is_known("d"):
            return None
        self.differentials.append(below[0].span)
        return 1

    def partial(self) -> S.Syntax:
        r"""\partial_x f, or \partial f / \partial x."""
        sign = self.take()
        if self.meets("_"):
            self.take()
            variable = self.within(self.script())
            body = self.factor()
        else:
            body = self.factor()
            if not (self.meets("/") and self.after().text == r"\partial"):
                raise self.refusal(
                    "a derivative with respect to nothing", r"write \frac{\partial f}{\partial x}"
                )
            self.take(), self.take()
            variable = self.factor()
        if self.begins_factor():
            raise self.refusal(
                "where the derivative ends is ambiguous", r"write \frac{\partial f}{\partial x}"
            )
        return S.Call(self.from_here(sign.span), "D", sign.span, (body, variable), ())

    def gradient(self) -> S.Syntax:
        r"""\nabla_W f. Without its variable, of f(x), it is with respect to x."""
        sign = self.take()
        variable: S.Syntax | None = None
        if self.meets("^"):
            raise self.refusal("a derivative of higher order is not read", None, sign.span)
        if self.meets("_"):
            self.take()
            variable = self.within(self.script())
        body = self.factor()
        if self.begins_factor():
            raise self.refusal("where the gradient ends is ambiguous", "write brackets")
        if variable is None:
            variable = self._argument_of(body, sign.span)
        return S.Call(self.from_here(sign.span), GRADIENT, sign.span, (body, variable), ())

    def _argument_of(self, body: S.Syntax, span: Span) -> S.Syntax:
        if isinstance(body, S.Call) and body.args and isinstance(body.args[-1], S.Name | S.Subscript):
            return body.args[-1]
        raise self.refusal("a gradient with respect to what?", r"write \nabla_{x} f", span)

    @abstractmethod
    def begins_factor(self) -> bool: ...
