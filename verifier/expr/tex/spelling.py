r"""Letters: what is declared under `names:`, what is spelled as its name, entries, and constant matrices."""

from abc import abstractmethod

from verifier.expr import syntax as S
from verifier.expr.dims import Shape
from verifier.expr.symbols import Function
from verifier.expr.tex import notation
from verifier.expr.tex.letters import FONTS, GREEK, undeclared, word
from verifier.expr.tex.stream import Stream, shown
from verifier.expr.tex.tokens import END, Token

# The size of something that print leaves out: the last value of an index, the length of a vector of ones.
EXTENT = "extent"
# After a bold 1: its size, or the event of which it is the indicator.
_AFTER_INDICATOR = frozenset({"_", "(", "[", r"\{", "{"})


class Spelled(Stream):
    """The rules for letters."""

    @abstractmethod
    def within(self, tokens: list[Token]) -> S.Syntax: ...

    @abstractmethod
    def call(self, name: str, start: Token) -> S.Syntax: ...

    def constant(self) -> S.Syntax | None:
        r"""I_n, \mathbf{1}_n, \mathbf{1}_{n \times m}, \mathbf{0}_n, and e to a power."""
        start = self.at
        bold = self.next.text in notation.BOLD
        token = self.after() if bold else self.next
        known = {"I": "eye", "1": "ones", "0": "zeros"} if bold else {"I": "eye"}
        following = self.after(2 if bold else 1).text
        if token.text == "e" and following == "^" and not self.letters.knows("e") and "e" not in self.bound:
            self.at += 2 if bold else 1
            self.take()
            arg = self.within(self.script())
            return S.Call(self.from_here(self.tokens[start].span), "exp", token.span, (arg,), ())
        heavy = self.next.text in notation.HEAVY
        if heavy and token.text == "1" and following not in _AFTER_INDICATOR:
            return self.unsized_ones()
        if token.text not in known or following != "_" or self.letters.knows(token.text):
            return None
        self.at += 3 if bold else 2
        parts: list[list[Token]] = [[]]
        for item in self.script():
            if item.text in (r"\times", ","):
                parts.append([])
            else:
                parts[-1].append(item)
        sizes = tuple(self.within(part) for part in parts)
        if known[token.text] == "eye":
            sizes = sizes[:1] if len(sizes) == 1 or shown(parts[0]) == shown(parts[-1]) else sizes
        return S.Call(self.from_here(self.tokens[start].span), known[token.text], token.span, sizes, ())

    def unsized_ones(self) -> S.Syntax:
        r"""\mathbf{1} alone: as many ones as its place needs."""
        start = self.take()
        self.take()
        span = self.from_here(start.span)
        return S.Call(span, "ones", span, (S.Call(span, EXTENT, span, (), ()),), ())

    def named(self, name: str, length: int) -> S.Syntax:
        """A declared piece of LaTeX."""
        start = self.next
        self.at += length
        if self.meets("("):
            declared = self.letters.scope.symbols.get(name)
            is_function = declared is not None and isinstance(declared.kind, Function)
            if is_function or not self.letters.knows(name):
                return self.call(name, start)
        tree = S.Name(self.from_here(start.span), name)
        return self.indexed(tree, start) if self.meets("_") else tree

    def letter(self) -> S.Syntax:
        r"""A letter spelled as its name: x, \sigma, d_v, \sigma_x; or an entry of one: x_i, A_{ij}."""
        start = self.next
        base = word(start)
        if base is None or start.is_digit:
            raise self.unreadable(start)
        self.take()
        place = self.at
        if self.meets("_"):
            self.take()
            script = self.script()
            words = [word(token) for token in script]
            full = f"{base}_{''.join(item for item in words if item)}" if all(words) else None
            if full is not None and self.letters.knows(full):
                if self._may_index(base, script):
                    hint = "declare the letter under `names:`"
                    raise self.refusal(f"{full} may be a name or an entry of {base}", hint, start.span)
                return self.applied(S.Name(self.from_here(start.span), full), start)
            if not self.is_known(base):
                raise undeclared(shown(self.tokens[place - 1 : self.at]), self.from_here(start.span))
            self.at = place
            return self.indexed(S.Name(start.span, base), start)
        if not self.is_known(base):
            raise undeclared(start.text, start.span)
        return self.applied(S.Name(start.span, base), start)

    def applied(self, name: S.Name, start: Token) -> S.Syntax:
        """A name before a bracket: a declared function is called; a `let` before one letter is refused."""
        if not self.meets("("):
            return name
        declared = self.letters.scope.symbols.get(name.name)
        if declared is not None and isinstance(declared.kind, Function):
            return self.call(name.name, start)
        if name.name in self.letters.scope.lets and self.after(2).text in (")", END):
            message = f"{name.name}({self.after().text}) may be a product or a value of a function"
            raise self.refusal(message, "declare all of it under `names:`", name.span)
        return name

    def is_known(self, name: str) -> bool:
        return name in self.bound or self.letters.knows(name)

    def _may_index(self, base: str, script: list[Token]) -> bool:
        declared = self.letters.scope.symbols.get(base)
        indices = all(token.is_digit or self.is_known(word(token) or "") for token in script)
        return declared is not None and not declared.shape.is_scalar and indices

    def indexed(self, tree: S.Syntax, start: Token) -> S.Syntax:
        """Entries: indices side by side or between commas; a row: i, then a colon."""
        self.take()
        script = self.script()
        parts: list[list[Token]] = [[]]
        for token in script:
            if token.text == ",":
                parts.append([])
            else:
                parts[-1].append(token)
        shape = self._shape(tree)
        if shape is not None and shape.is_scalar:
            raise undeclared(
                shown(self.tokens[self.tokens.index(start) : self.at]), self.from_here(start.span)
            )
        side_by_side = len(script) == 2 and all(token.is_letter or token.is_digit for token in script)
        if len(parts) == 1 and side_by_side and not (shape is not None and shape.is_vector):
            parts = [[token] for token in script]
        if len(parts) == 1 and len(script) == 2 and script[1].text == ":":
            parts = [script[:1], script[1:]]
        if len(parts) == 2 and shown(parts[1]) == ":":
            parts = parts[:1]
        elif len(parts) == 1 and shape is not None and not shape.is_vector:
            # Its row, as a row or as a column?
            raise self.refusal("one index of a matrix is ambiguous", "print X_{i,:} for a row", start.span)
        indices = tuple(self.within(part) for part in parts)
        return S.Subscript(self.from_here(start.span), tree, indices)

    def _shape(self, tree: S.Syntax) -> Shape | None:
        """The shape of a letter; None where it is not one, or where its first index picks a member."""
        if not isinstance(tree, S.Name):
            return None
        scope = self.letters.scope
        if tree.name in scope.lets:
            return scope.lets[tree.name].shape
        declared = scope.symbols.get(tree.name)
        return declared.shape if declared is not None and declared.copies is None else None

    def unreadable(self, token: Token) -> Exception:
        if token.text == END:
            return self.refusal("the formula ends too early")
        if token.text in FONTS or token.text in GREEK:
            length = 2 if self.after().text != "{" else 1
            return undeclared(shown(self.tokens[self.at : self.at + length]), token.span)
        if token.text in ("‖", "|"):
            return self.refusal("this bar closes nothing", r"write \left\| and \right\|")
        if token.text in notation.NOT_YET:
            return self.refusal(f"the claim language has no {notation.NOT_YET[token.text]}")
        return self.refusal(f"{token.text} is not notation that is read here")

    def index_name(self, token: Token) -> S.Name:
        name = word(token)
        if name is None:
            raise self.refusal("an index is one letter", span=token.span)
        return S.Name(token.span, name)
