r"""A paper in LaTeX: its outer shape.

Macros are expanded first (`expand.py`); pylatexenc then tells text from mathematics and finds environments
and arguments. What it gives is walked here into passages.
"""

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pylatexenc import latexwalker as lw
from pylatexenc import macrospec
from pylatexenc.latex2text import LatexNodes2Text

from verifier.claim.model import Position
from verifier.claim.problems import Problem
from verifier.read.balance import balanced
from verifier.read.define import COMMANDS
from verifier.read.display import formulas
from verifier.read.expand import Expander
from verifier.read.folder import MAX_CHARACTERS, Folder
from verifier.read.kinds import KINDS, MATH, UNREAD, kind_of
from verifier.read.lexer import PARAGRAPH, Lexeme, lex
from verifier.read.numbers import Numbers
from verifier.read.paper import Formula, Paper, Passage
from verifier.read.passages import Open
from verifier.read.printed import Printed, printed

# What the library raises for input that it did not expect.
_TROUBLE = (LookupError, ValueError, TypeError, AttributeError)
MAX_FORMULAS = 10_000
MAX_FORMULA = 10_000
_SECTIONS = frozenset(f"{sub}section" for sub in ("", "sub", "subsub")) | {"part", "chapter", "paragraph"}
_KEYED = "ref eqref cref Cref autoref cite citep citet hyperref pageref"
_REFERENCES = frozenset(_KEYED.split())
_NOT_READ = """
bibliography bibliographystyle vspace hspace index thanks footnotetext todo includegraphics caption
pagestyle thispagestyle setcounter addtocounter setlength author date affil maketitle tableofcontents nocite
hypersetup keywords noindent graphicspath qedhere qed newpage clearpage appendix documentclass theoremstyle
linebreak par
"""
_SILENT = frozenset(_NOT_READ.split())


def read_latex(source: str, path: Path) -> Paper:
    """The paper in a LaTeX file and the files that it includes."""
    if len(source) > MAX_CHARACTERS:
        message = f"a paper of more than {MAX_CHARACTERS:,} characters"
        return Paper(None, str(path), (), (Problem(Position(str(path), 1), "paper", message),))
    folder = Folder(path)
    tex = Expander(folder, COMMANDS)
    made = tex.expand(lex(folder.paper(path, source)))
    body, problems = balanced(_first_formulas(made[tex.body or 0 :]))
    walk = Walk(printed(body), tex.theorems, Numbers(tex.counters))
    walk.document()
    found = sorted(walk.passages, key=lambda item: item[0])
    title = words_of(tex.title) or None
    return Paper(
        title, str(path), tuple(item for _, item in found), (*tex.problems, *problems, *walk.problems)
    )


def _first_formulas(lexemes: list[Lexeme]) -> list[Lexeme]:
    """The tokens up to where no paper has so many formulas; the walk then says that it stopped."""
    signs = 0
    for place, token in enumerate(lexemes):
        signs += token.text == "$"
        if signs > 4 * MAX_FORMULAS:
            return lexemes[:place]
    return lexemes


def words_of(lexemes: tuple[Lexeme, ...]) -> str:
    """Tokens as plain words, for a title."""
    walk = Walk(printed(list(lexemes)), {})
    walk.document()
    parts = [part for _, item in walk.passages for part in item.parts]
    return " ".join(part if isinstance(part, str) else f"${part.latex}$" for part in parts).strip()


class Walk:
    """The walk over what pylatexenc found."""

    def __init__(self, page: Printed, theorems: dict[str, str], numbers: Numbers | None = None) -> None:
        self.page = page
        self.theorems = theorems
        self.numbers = numbers or Numbers({})
        self.passages: list[tuple[int, Passage]] = []
        self.problems: list[Problem] = []
        self.count = 0
        self.open = Open("text")
        self.plain = LatexNodes2Text(strict_latex_spaces=True)

    def document(self) -> None:
        logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
        walker = lw.LatexWalker(self.page.text, latex_context=self._context(), tolerant_parsing=False)
        try:
            nodes, _, _ = walker.get_latex_nodes()
        except (lw.LatexWalkerError, *_TROUBLE) as error:
            at = getattr(error, "pos", None) or 0
            place = self.page.position(at) if self.page.lexemes else Position("", 1)
            message = f"the paper's shape cannot be read: {getattr(error, 'msg', error)}"
            self.problems.append(Problem(place, "paper", message, "mend it, and the paper is read"))
            return
        self.visit(nodes)
        self.flush()

    def _context(self) -> Any:
        """What pylatexenc knows, and the arguments of environments that papers use besides."""
        context = lw.get_default_latex_context_db()
        names = {*KINDS, *self.theorems, "itemize", "enumerate", "description", "abstract"}
        environments = [macrospec.std_environment(name, "[") for name in sorted(names)]
        environments += [macrospec.std_environment(f"{name}*", "[") for name in sorted(KINDS)]
        environments += [macrospec.std_environment(f"restatable{star}", "[{{") for star in ("", "*")]
        starred = [f"{name}{star}" for name in sorted(MATH) for star in ("", "*")]
        environments += [macrospec.std_environment(name, None, is_math_mode=True) for name in starred]
        macros = [
            macrospec.std_macro(name, False, 1) for name in ("ensuremath", "text", "todo", "cref", "Cref")
        ]
        macros += [macrospec.std_macro(name, "[{") for name in ("citep", "citet", "item*")]
        context.add_context_category("paper", prepend=True, environments=environments, macros=macros)
        return context

    # -- nodes

    def visit(self, nodes: list[Any]) -> None:
        for node in nodes:
            if isinstance(node, lw.LatexCharsNode):
                self.chars(node)
            elif isinstance(node, lw.LatexMathNode):
                size = len(node.delimiters[0])
                display = node.displaytype == "display"
                self.mathematics(node, (node.pos + size, node.pos + node.len - size), "", display)
            elif isinstance(node, lw.LatexEnvironmentNode):
                self.environment(node)
            elif isinstance(node, lw.LatexMacroNode):
                self.macro(node)
            elif isinstance(node, lw.LatexGroupNode):
                self.visit(node.nodelist)
            elif isinstance(node, lw.LatexSpecialsNode):
                self.say(" " if node.specials_chars in ("~", "&") else self.text([node]), node.pos)

    def text(self, nodes: list[Any]) -> str:
        try:
            return str(self.plain.nodelist_to_text(nodes))
        except _TROUBLE:
            return " "  # an accent over what is no letter

    def say(self, words: str, at: int) -> None:
        self.open.say(words, at)

    def chars(self, node: Any) -> None:
        """Words; an empty line ends a paragraph of running text."""
        at = node.pos
        for count, part in enumerate(node.chars.split(PARAGRAPH)):
            if count:
                if self.open.kind == "text":
                    self.flush()
                else:
                    self.say(" ", at)
            self.say(part, at)
            at += len(part) + len(PARAGRAPH)

    def macro(self, node: Any) -> None:
        name = node.macroname
        arguments = [
            item for item in (node.nodeargd.argnlist if node.nodeargd else None) or [] if item is not None
        ]
        if name in _SECTIONS:
            self.flush()
            if not self.page.text.startswith("*", node.pos + 1 + len(name)):
                self.numbers.heading(name)
        elif name == "appendix":
            self.numbers.appendix()
        elif name == "label":
            if self.open.kind != "text" and self.open.label is None and arguments:
                self.open.label = self._inside(arguments[0])
        elif name in _REFERENCES and arguments:
            key = self._inside(arguments[-1])
            self.say(f"({key})" if "ref" in name else f"[{key}]", node.pos)
        elif name == "ensuremath" and arguments:
            inner = arguments[0]
            self.mathematics(node, (inner.pos, inner.pos + inner.len), "", False)
        elif name == "item":
            self.say("\n", node.pos)
            self.visit(arguments)
        elif name == "footnote" and arguments:
            self.aside(arguments[-1])
        elif name in _SILENT:
            return
        elif arguments and not self._is_accent(node):
            self.visit(arguments)
        else:
            self.say(self.text([node]) or " ", node.pos)

    def _is_accent(self, node: Any) -> bool:
        return len(node.macroname) == 1

    def _inside(self, node: Any) -> str:
        text = self.page.text[node.pos : node.pos + node.len]
        return text.strip("{}[] ")

    def environment(self, node: Any) -> None:
        name = node.environmentname
        plain = name.rstrip("*")
        if plain in MATH:
            self.mathematics(node, self._body(node), name, plain != "math")
            return
        if plain in UNREAD:
            return
        arguments = list((node.nodeargd.argnlist if node.nodeargd else None) or [])
        if plain == "restatable" and len(arguments) == 3:
            plain = self._inside(arguments[1])
        known = plain in self.theorems or plain in KINDS or kind_of(plain) in KINDS
        kind = kind_of(plain, self.theorems.get(plain)) if known else None
        if kind is not None:
            self.theorem(node, kind, arguments[0] if arguments else None)
        elif plain == "subequations":
            self.subequations(node)
        else:
            self.visit(node.nodelist)

    def _body(self, node: Any) -> tuple[int, int]:
        """Between the marks of an environment, arguments such as alignat's number left out."""
        start = node.pos + len(rf"\begin{{{node.environmentname}}}")
        end = node.pos + node.len - len(rf"\end{{{node.environmentname}}}")
        if node.environmentname.rstrip("*") in ("alignat", "xalignat", "IEEEeqnarray") and (
            self.page.text[start : start + 1] == "{"
        ):
            start = self.page.text.find("}", start) + 1
        return start, end

    def theorem(self, node: Any, kind: str, title: Any) -> None:
        """A passage of its own; the text around it goes on after it."""
        if self.open.kind == "text":
            self.flush()
        name = node.environmentname
        name = self._inside(node.nodeargd.argnlist[1]) if name == "restatable" else name
        outer, self.open = self.open, Open(kind, node.pos, number=self.numbers.next(name))
        if title is not None:
            self.open.title = self.words(title).strip("[] ") or None
        self.visit(node.nodelist)
        self.flush()
        self.open = outer

    def words(self, node: Any) -> str:
        """What a node says, formulas as they are printed."""
        outer, self.open = self.open, Open("title")
        self.visit([node])
        parts, self.open = self.open.parts, outer
        return " ".join(
            "".join(part if isinstance(part, str) else f"${part.latex}$" for part in parts).split()
        )

    def aside(self, node: Any) -> None:
        """A footnote: a passage of its own, so that the sentence around it goes on."""
        outer, self.open = self.open, Open("text", node.pos)
        self.visit([node])
        self.flush()
        self.open = outer

    def subequations(self, node: Any) -> None:
        """The label of the whole belongs to its formula, if it has one only."""
        outer_label, before = self.open.label, len(self.open.parts)
        kind, self.open.kind = self.open.kind, "subequations"
        self.open.label = None
        self.visit(node.nodelist)
        label, self.open.label, self.open.kind = self.open.label, outer_label, kind
        inside = [
            at for at in range(before, len(self.open.parts)) if isinstance(self.open.parts[at], Formula)
        ]
        if len(inside) == 1 and label is not None:
            part = self.open.parts[inside[0]]
            assert isinstance(part, Formula)
            if part.label is None:
                self.open.parts[inside[0]] = replace(part, label=label, labels=(label,))

    def mathematics(self, node: Any, span: tuple[int, int], name: str, display: bool) -> None:
        if self.open.at is None:
            self.open.at = node.pos
        place = self.page.position(node.pos)
        if span[1] - span[0] > MAX_FORMULA:
            message = f"a formula of more than {MAX_FORMULA:,} characters is not read"
            self.problems.append(Problem(place, "paper", message, "split it"))
            return
        for part in self._bounded(formulas(self.page, *span, name, display), place):
            self.open.parts.append(part)

    def _bounded(self, parts: Iterator[str | Formula], place: Position) -> Iterator[str | Formula]:
        for part in parts:
            self.count += 1
            if self.count <= MAX_FORMULAS:
                yield part
            elif self.count == MAX_FORMULAS + 1:
                message = f"only the first {MAX_FORMULAS:,} formulas are read"
                self.problems.append(Problem(place, "paper", message, "split the paper"))

    def flush(self) -> None:
        """The open passage is at its end."""
        done, self.open = self.open, Open("text")
        passage = done.closed(self.page)
        if passage is not None:
            self.passages.append((done.at or 0, passage))
