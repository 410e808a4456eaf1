r"""The commands that an expander obeys: definitions, includes, environments, what ends a file."""

from dataclasses import replace

from verifier.read.expand import Expander, Malformed
from verifier.read.lexer import Lexeme, Source, lex
from verifier.read.macros import Environment, Macro
from verifier.read.numbers import Counter


def text_of(lexemes: tuple[Lexeme, ...]) -> str:
    return "".join(token.text for token in lexemes).strip()


def newcommand(tex: Expander, token: Lexeme) -> None:
    r"""\newcommand{\name}[2][default]{body}, and its relatives."""
    tex.star()
    name = tex.name()
    arguments, optional = _signature(tex)
    body = tex.argument()
    if token.text == r"\providecommand" and name in tex.macros:
        return
    tex.define(name, Macro(body, arguments, optional))


def _signature(tex: Expander) -> tuple[int, tuple[Lexeme, ...] | None]:
    count = tex.bracket()
    if count is None:
        return 0, None
    if not text_of(count).isdigit() or len(text_of(count)) > 1:
        raise Malformed("the number of arguments is no number")
    return int(text_of(count)), tex.bracket()


def define(tex: Expander, token: Lexeme) -> None:
    r"""\def\name#1#2{body}. Parameters that end at a sign of their own are not read."""
    name = tex.name()
    parameters: list[Lexeme] = []
    while tex.pending and tex.pending[-1].text != "{":
        parameters.append(tex.pending.pop())
        if len(parameters) > 9:
            raise Malformed("its parameters cannot be read")
    body = tex.argument()
    shown = [part.text for part in parameters if not part.is_blank]
    if shown != [f"#{place}" for place in range(1, len(shown) + 1)] or token.text in (r"\edef", r"\xdef"):
        tex.define(name, None)
        tex.problem(token, f"{name}: a definition of this kind is not read", r"define it with \newcommand")
        return
    tex.define(name, Macro(body, len(shown)), everywhere=token.text == r"\gdef")


def let(tex: Expander, token: Lexeme) -> None:
    r"""\let\name=\other: the meaning that the other has now."""
    name = tex.name()
    if tex.meets("="):
        tex.pending.pop()
    other = tex.argument()
    if len(other) == 1 and other[0].text in tex.macros:
        tex.define(name, tex.macros[other[0].text])
    elif len(other) == 1 and other[0].text != name:
        tex.define(name, Macro(other))
    else:
        tex.define(name, None)


def operator(tex: Expander, token: Lexeme) -> None:
    r"""\DeclareMathOperator{\tr}{tr} is \operatorname{tr}."""
    tex.star()
    name, words = tex.name(), tex.argument()
    tex.define(name, Macro((*_lexed(r"\operatorname{"), *words, *_lexed("}"))))


def paired(tex: Expander, token: Lexeme) -> None:
    r"""\DeclarePairedDelimiter{\norm}{\lVert}{\rVert}: a fence of any size."""
    name, left, right = tex.name(), tex.argument(), tex.argument()
    body = (*_lexed(r"\left"), *left, *_lexed("#1"), *_lexed(r"\right"), *right)
    tex.define(name, Macro(body, 1, None, star=True))


def paired_x(tex: Expander, token: Lexeme) -> None:
    r"""\DeclarePairedDelimiterX{\inner}[2]{\langle}{\rangle}{#1, #2}."""
    name = tex.name()
    arguments, _ = _signature(tex)
    if token.text.endswith("XPP"):
        tex.argument(), tex.argument(), tex.argument(), tex.argument(), tex.argument()
        tex.problem(token, f"{name}: a fence of this kind is not read", r"define it with \newcommand")
        return
    left, right = tex.argument(), tex.argument()
    inner = tuple(part for part in tex.argument() if part.text != r"\delimsize")
    body = (*_lexed(r"\left"), *left, *inner, *_lexed(r"\right"), *right)
    tex.define(name, Macro(body, arguments, None, star=True))


def document_command(tex: Expander, token: Lexeme) -> None:
    r"""\NewDocumentCommand{\name}{m m}{body}, with arguments that must be there."""
    name, spec, body = tex.name(), text_of(tex.argument()).replace(" ", ""), tex.argument()
    if set(spec) - {"m"}:
        tex.problem(
            token, f"{name}: optional arguments of this kind are not read", r"define it with \newcommand"
        )
        return
    tex.define(name, Macro(body, len(spec)))


def newtheorem(tex: Expander, token: Lexeme) -> None:
    r"""\newtheorem{lem}[thm]{Lemma}[section]."""
    is_starred = tex.star()
    name = text_of(tex.argument())
    shared = text_of(tex.bracket() or ())
    tex.theorems[name] = text_of(tex.argument())
    within = text_of(tex.bracket() or ())
    tex.counters[name] = Counter(shared or None, within or None, not is_starred)


def declare_theorem(tex: Expander, token: Lexeme) -> None:
    r"""\declaretheorem[name=Theorem]{thm}."""
    options, name = text_of(tex.bracket() or ()), text_of(tex.argument())
    after = text_of(tex.bracket() or ())
    parts = (part.partition("=") for part in f"{options},{after}".split(","))
    said = {key.strip(): value.strip("{} ") for key, _, value in parts}
    tex.theorems[name] = said.get("name") or said.get("title") or name.capitalize()
    shared = next((said[key] for key in ("sibling", "numberlike", "sharenumber") if key in said), None)
    within = next((said[key] for key in ("numberwithin", "within", "parent") if key in said), None)
    tex.counters[name] = Counter(shared, within, said.get("numbered") not in ("no", "unless unique"))


def number_within(tex: Expander, token: Lexeme) -> None:
    r"""\numberwithin{theorem}{section}."""
    tex.star()
    name, within = text_of(tex.argument()), text_of(tex.argument())
    if name in tex.counters:
        tex.counters[name] = replace(tex.counters[name], within=within)


def set_counter(tex: Expander, token: Lexeme) -> None:
    r"""\setcounter{theorem}{4}: the numbers of such theorems are not told then."""
    name = text_of(tex.argument())
    tex.argument()
    tex.counters = {
        key: replace(
            counter, is_counted=counter.is_counted and name not in (key, counter.shared, counter.within)
        )
        for key, counter in tex.counters.items()
    }


def newenvironment(tex: Expander, token: Lexeme) -> None:
    r"""\newenvironment{eq}{\begin{equation}}{\end{equation}}."""
    tex.star()
    name = text_of(tex.argument())
    arguments, optional = _signature(tex)
    begin, end = tex.argument(), tex.argument()
    tex.environments[name] = Environment(Macro(begin, arguments, optional), end)


def begin(tex: Expander, token: Lexeme) -> None:
    named = tex.argument()
    name = text_of(named)
    if name in tex.environments:
        if token.depth > 20:
            raise Malformed(f"the environment {name} contains itself")
        tex.push(tex.called(token, tex.environments[name].begin))
        return
    if tex.open_group(token):
        tex.made += [token, *_braced(token, name)]
    if name == "document":
        tex.body = len(tex.made)


def end(tex: Expander, token: Lexeme) -> None:
    name = text_of(tex.argument())
    if name in tex.environments:
        if token.depth > 20:
            raise Malformed(f"the environment {name} contains itself")
        tex.push(tex.called(token, Macro(tex.environments[name].end)))
        return
    tex.close_group()
    if name == "document":
        tex.pending.clear()
        return
    tex.made += [token, *_braced(token, name)]


def include(tex: Expander, token: Lexeme) -> None:
    r"""\input{file} and \input file."""
    tex.skip_blanks()
    if tex.meets("{"):
        name = text_of(tex.argument())
    else:
        taken: list[Lexeme] = []
        while tex.pending and not tex.pending[-1].is_blank and not tex.pending[-1].is_command:
            taken.append(tex.pending.pop())
        name = text_of(tuple(taken))
    tex.include(token, name, (".tex", ""), wanted=True)


def usepackage(tex: Expander, token: Lexeme) -> None:
    """Packages whose macros are known, and those that lie beside the paper."""
    tex.bracket()
    names = [name.strip() for name in text_of(tex.argument()).split(",")]
    tex.bracket()
    for name in names[:50]:
        tex.load(name)
        if name:
            tex.include(token, name, (".sty",), wanted=False)


def end_of_file(tex: Expander, token: Lexeme) -> None:
    """What follows in the same file is not read."""
    while tex.pending and tex.pending[-1].source is token.source:
        tex.pending.pop()


def title(tex: Expander, token: Lexeme) -> None:
    tex.bracket()
    tex.title = tuple(tex.expand(tex.argument()))


def new_conditional(tex: Expander, token: Lexeme) -> None:
    r"""\newif\ifdraft."""
    name = tex.name()
    tex.conditionals.add(name)
    for ending in ("true", "false"):
        tex.define("\\" + name[3:] + ending, Macro(()))


def nothing(tex: Expander, token: Lexeme) -> None:
    r"""\global, \long, \makeatletter: they print nothing and change nothing that is read here."""


def group_opened(tex: Expander, token: Lexeme) -> None:
    tex.open_group(token)


def group_closed(tex: Expander, token: Lexeme) -> None:
    tex.close_group()


def _braced(token: Lexeme, name: str) -> list[Lexeme]:
    return [Lexeme(text, token.source, token.at, token.depth) for text in ("{", name, "}") if text]


def _lexed(text: str) -> tuple[Lexeme, ...]:
    return tuple(lex(Source("", text)))


COMMANDS = {
    r"\newcommand": newcommand, r"\renewcommand": newcommand, r"\providecommand": newcommand,
    r"\DeclareRobustCommand": newcommand, r"\def": define, r"\gdef": define, r"\edef": define,
    r"\xdef": define,
    r"\let": let, r"\DeclareMathOperator": operator, r"\DeclarePairedDelimiter": paired,
    r"\DeclarePairedDelimiterX": paired_x, r"\DeclarePairedDelimiterXPP": paired_x,
    r"\NewDocumentCommand": document_command, r"\RenewDocumentCommand": document_command,
    r"\newtheorem": newtheorem, r"\declaretheorem": declare_theorem, r"\newenvironment": newenvironment,
    r"\renewenvironment": newenvironment, r"\begin": begin, r"\end": end, r"\input": include,
    r"\include": include, r"\subfile": include, r"\usepackage": usepackage, r"\RequirePackage": usepackage,
    r"\endinput": end_of_file, r"\title": title, r"\newif": new_conditional, r"\numberwithin": number_within,
    r"\counterwithin": number_within,
    r"\setcounter": set_counter, r"\addtocounter": set_counter, r"\global": nothing,
    r"\long": nothing, r"\makeatletter": nothing, r"\makeatother": nothing, r"\begingroup": group_opened,
    r"\endgroup": group_closed, r"\bgroup": group_opened, r"\egroup": group_closed,
}  # fmt: skip
