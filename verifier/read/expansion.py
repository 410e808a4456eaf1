"""A paper's macros, for formulas that were found by other means."""

from pathlib import Path

from verifier.expr.errors import Span
from verifier.read.define import COMMANDS
from verifier.read.expand import Expander
from verifier.read.folder import MAX_CHARACTERS, Folder
from verifier.read.frontmatter import front_matter
from verifier.read.lexer import Source, lex
from verifier.read.macros import Macro
from verifier.read.printed import printed
from verifier.read.spans import spans
from verifier.read.specs.yaml_document import Text


def expander(text: str, path: Path, suffix: str) -> Expander:
    """An expander that has read the whole paper: each macro has the meaning that it has at the end."""
    tex = Expander(Folder(path), COMMANDS)
    source = Source(str(path), text[:MAX_CHARACTERS])
    if suffix == ".tex":
        tex.expand(lex(source))
        return tex
    _, _, macros = front_matter(source, tex.problems)
    for name, (body, arguments) in macros.items():
        tex.define(name, Macro(tuple(lex(Source(source.file, body))), arguments))
    if r"\newcommand" in text or r"\def" in text or r"\DeclareMathOperator" in text:
        for found in spans(source.text):
            tex.expand(lex(source, *found.body))
    return tex


def expanded(latex: Text, tex: Expander) -> Text:
    """A formula with its macros expanded; what a macro made stands at the place of its call. Raises SpecError
    for a macro that is defined twice: which of its meanings it has here is not known."""
    lexemes = lex(Source(latex.file, latex.value))
    for token in lexemes:
        if token.text in tex.redefined:
            message = f"{token.text} has more than one meaning in the write-up"
            span = Span(token.at, token.at + len(token.text))
            raise latex.problem("latex", message, "define it once", span)
    made = tex.expand(lexemes)
    if all(token.depth == 0 for token in made):
        return latex
    shown = printed(made)
    runs = []
    for start, token in zip(shown.starts, shown.lexemes, strict=True):
        place = latex.position(token.at)
        runs.append((start, place.line, place.column))
    return Text(shown.text, latex.file, tuple(runs))
