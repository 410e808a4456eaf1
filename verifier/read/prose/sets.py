r"""Sets that a letter is said to lie in: `\mathbb{R}^{m \times n}`, `[0, 1)`, `\{1, \dots, n\}`,
`\mathbb{S}^{d-1}`.

A set becomes attributes of the letter: what kind of symbol it is, and conditions where the language has no
kind."""

from collections.abc import Sequence

from verifier.expr.tex.stream import shown
from verifier.expr.tex.tokens import Token
from verifier.read.prose.brackets import closing, is_dots, split
from verifier.read.prose.scalars import scalar_text
from verifier.read.prose.spelling import group, texts, upright
from verifier.read.prose.values import Always, Attribute, Family, Number, Space, Unsayable

Attributes = tuple[Attribute, ...]

_SIGNED_SUBSCRIPTS = {
    "+": "nonnegative", r"\ge0": "nonnegative", ">0": "positive", "++": "positive", r"\ge1": "from one",
    "*": "star", r"\star": "star", r"\ast": "star", "0": "zero",
}  # fmt: skip
_SIGN_SETS = (frozenset({"-1", "1"}), frozenset({"-1", "+1"}), frozenset({r"\pm1"}))
_BITS = frozenset({"0", "1"})
_REAL_PLUS = r"\R_+ is read as x >= 0; print \R_{>0} if 0 is left out"
NONZERO = Always("norm({x}) > 0")
_NATURALS = "the natural numbers are read as 1, 2, 3, ..."


def read_set(tokens: Sequence[Token]) -> Attributes | None:
    """What lying in this set says of a letter; None where these tokens are no set that is known."""
    if not tokens:
        return None
    parts = split(tokens, r"\setminus")
    if len(parts) == 2 and texts(parts[1]) == [r"\{", "0", r"\}"]:
        return _without_zero(read_set(parts[0]))
    built = _built_simplex(tokens)
    if built is not None:
        return built
    first = tokens[0].text
    if first == r"\mathbb" or (first == r"\mathbf" and len(tokens) > 1 and tokens[1].text in "RNZ"):
        inner, place = group(tokens, 1)
        return _blackboard(upright(inner), tokens[place:], tokens)
    if first in ("[", "("):
        return _bracketed(tokens)
    if first == r"\{":
        return _listed(tokens)
    if first == r"\Delta":
        return _simplex(tokens[1:], tokens)
    if first in (r"\mathcal", r"\mathrm", r"\operatorname", r"\mathbf") or first in ("S", "O"):
        inner, place = group(tokens, 1) if first.startswith("\\") else ([tokens[0]], 1)
        return _named(upright(inner), tokens[place:], tokens)
    return None


def _without_zero(attributes: Attributes | None) -> Attributes | None:
    r"""\mathbb{R}^n \setminus \{0\}"""
    if attributes is None:
        return None
    match attributes:
        case (Space(),):
            return (*attributes, NONZERO)
        case (Number("real" | "integer"),):
            return (*attributes, Always("{x} != 0"))
    raise Unsayable("this set without 0 is not read", "write the condition as a relation")


def _scripts(tokens: Sequence[Token]) -> tuple[str, list[Token]] | None:
    """The subscript as text and the superscript's tokens, in either order; nothing else may follow."""
    below, above, at = "", list[Token](), 0
    while at < len(tokens):
        sign = tokens[at].text
        if sign not in ("_", "^"):
            return None
        script, at = group(tokens, at + 1)
        if sign == "_" or texts(script) in (["+"], ["*"], ["++"]):
            below = "".join(texts(script))
        else:
            above = script
    return below, above


def _blackboard(letter: str, rest: Sequence[Token], whole: Sequence[Token]) -> Attributes | None:
    if letter not in ("R", "N", "Z", "S", "C", "Q"):
        return None
    scripts = _scripts(rest)
    if scripts is None:
        return None
    below, above = scripts
    if letter in ("C", "Q"):
        raise Unsayable("the claim language has real numbers only: no complex, no rational ones")
    sign = _SIGNED_SUBSCRIPTS.get(below) if below else ""
    if sign is None:
        raise Unsayable(f"the set {shown(list(whole))} is not known", "write the condition as a relation")
    if letter == "S":
        return _sphere_or_symmetric(sign, above, whole)
    if letter == "R":
        return _reals(sign, above, whole)
    if above:
        raise Unsayable("the claim language has no vectors of whole numbers")
    return _whole_numbers(letter, sign, whole)


def _whole_numbers(letter: str, sign: str, whole: Sequence[Token]) -> Attributes:
    match letter, sign:
        case ("Z", ""):
            return (Number("integer"),)
        case ("N", ""):
            return (Number("dimension", _NATURALS),)
        case ("N", "star" | "positive" | "from one") | ("Z", "positive" | "from one"):
            return (Number("dimension"),)
        case ("N", "zero") | ("N" | "Z", "nonnegative"):
            if shown(list(whole)).endswith("+") and letter == "Z":
                raise Unsayable(
                    r"\mathbb{Z}_+ may hold 0 or not", r"print \mathbb{Z}_{\ge 0} or \mathbb{Z}_{>0}"
                )
            return (Number("integer"), Always("{x} >= 0"))
    raise Unsayable(f"the set {shown(list(whole))} is not known", "write the condition as a relation")


def _reals(sign: str, above: list[Token], whole: Sequence[Token]) -> Attributes:
    sizes = sizes_of(above)
    if sign not in ("", "nonnegative", "positive"):
        raise Unsayable(f"the set {shown(list(whole))} is not known", "write the condition as a relation")
    if not sizes:
        note = _REAL_PLUS if sign == "nonnegative" and "+" in texts(whole) else ""
        kind = {"": "real", "nonnegative": "interval(0, oo)", "positive": "positive"}[sign]
        return (Number(kind, note),)
    if sign == "":
        return (Space(sizes),)
    note = _REAL_PLUS if "+" in texts(whole) and sign == "nonnegative" else ""
    return (Space(sizes), each_entry(len(sizes), ">= 0" if sign == "nonnegative" else "> 0", note))


def each_entry(rank: int, condition: str, note: str = "", power: str = "") -> Always:
    """A condition on every entry; {i} and {j} are indices that collide with nothing."""
    if rank == 1:
        return Always(f"all({{x}}[{{i}}]{power} {condition}, {{i}}, 1, {{rows}})", note)
    return Always(
        f"all({{x}}[{{i}}, {{j}}]{power} {condition}, {{i}}, 1, {{rows}}, {{j}}, 1, {{cols}})", note
    )


def sizes_of(tokens: Sequence[Token]) -> tuple[str, ...]:
    r"""The sizes in an exponent: n, m \times n."""
    if not tokens:
        return ()
    parts = split(tokens, r"\times")
    if len(parts) > 2:
        raise Unsayable("the claim language has no arrays with more than two indices")
    return tuple(scalar_text(part) for part in parts)


def _sphere_or_symmetric(sign: str, above: list[Token], whole: Sequence[Token]) -> Attributes:
    printed = shown(list(whole))
    if not above:
        raise Unsayable(f"the set {printed} has no size", r"print \mathbb{S}^{d-1}")
    if sign == "nonnegative":
        return (Family("psd", (scalar_text(above),)),)
    if sign == "positive":
        raise Unsayable(*POSITIVE_DEFINITE)
    parts = texts(above)
    if sign == "" and parts[-2:] == ["-", "1"]:
        return (Space((scalar_text(above[:-2]),)), Always("norm({x}) == 1"))
    raise Unsayable(
        f"{printed} may be a sphere or the symmetric matrices",
        r"print \mathbb{S}^{d-1} for the unit vectors of \R^d, or say `symmetric` in words",
    )


POSITIVE_DEFINITE = (
    "the claim language has no kind for positive definite matrices",
    "psd(n) allows singular ones: say positive semidefinite if that is enough",
)


def _power(tokens: Sequence[Token]) -> tuple[str, ...] | None:
    """The sizes in ^{m \\times n} behind a set, none where nothing stands there; None for anything else."""
    if not tokens:
        return ()
    script, place = group(tokens, 1)
    return sizes_of(script) if tokens[0].text == "^" and place == len(tokens) else None


def _bracketed(tokens: Sequence[Token]) -> Attributes | None:
    r"""[a, b], (a, b), [n], each possibly to a power."""
    end = closing(tokens)
    if end is None:
        return None
    rest = tokens[end + 1 :]
    power = _power(rest)
    if power is None:
        return None
    ends = split(tokens[1:end], ",")
    if len(ends) == 1:
        if tokens[0].text == "[" and tokens[end].text == "]" and not power:
            return (Number(f"index({scalar_text(ends[0])})"),)
        return None
    if len(ends) != 2:
        return None
    return _interval(tokens[0].text == "[", tokens[end].text == "]", ends, power)


def _interval(
    closed_low: bool, closed_high: bool, ends: list[list[Token]], power: tuple[str, ...]
) -> Attributes:
    low, high = (_end(part) for part in ends)
    if power:
        made: list[Attribute] = [Space(power)]
        if low != "-oo":
            made.append(each_entry(len(power), f"{'>=' if closed_low else '>'} {low}"))
        if high != "oo":
            made.append(each_entry(len(power), f"{'<=' if closed_high else '<'} {high}"))
        return tuple(made)
    return interval(low, high, closed_low, closed_high)


def interval(low: str, high: str, closed_low: bool, closed_high: bool) -> Attributes:
    """A number between two ends; ends that are left out are conditions."""
    if (low, high) == ("-oo", "oo"):
        return (Number("real"),)
    if (low, high) == ("0", "oo") and not closed_low:
        return (Number("positive"),)
    made: list[Attribute] = [Number(f"interval({low}, {high})")]
    if not closed_low and low != "-oo":
        made.append(Always(f"{{x}} > {low}"))
    if not closed_high and high != "oo":
        made.append(Always(f"{{x}} < {high}"))
    return tuple(made)


def _end(tokens: Sequence[Token]) -> str:
    match texts(tokens):
        case [r"\infty"] | ["+", r"\infty"]:
            return "oo"
        case ["-", r"\infty"]:
            return "-oo"
    return scalar_text(tokens)


def _listed(tokens: Sequence[Token]) -> Attributes | None:
    r"""\{1, \dots, n\}, and \{-1, 1\}^n."""
    end = next((at for at, token in enumerate(tokens) if token.text == r"\}"), None)
    if end is None:
        return None
    items = split(tokens[1:end], ",")
    rest = tokens[end + 1 :]
    if len(items) >= 3 and is_dots(items[-2]) and not rest and texts(items[0]) == ["1"]:
        if len(items) == 3 or (len(items) == 4 and texts(items[1]) == ["2"]):
            return (Number(f"index({scalar_text(items[-1])})"),)
        return None
    values = {"".join(texts(item)) for item in items}
    power = _power(rest)
    if power is None:
        return None
    if frozenset(values) in _SIGN_SETS:
        return (Space(power) if power else Number("real"), signs(len(power)))
    if frozenset(values) == _BITS:
        return (Space(power) if power else Number("real"), bits(len(power)))
    raise Unsayable(
        f"the set {shown(list(tokens))} is not a kind of symbol", "write the condition as a relation"
    )


def signs(rank: int) -> Always:
    """Every entry is 1 or -1."""
    return each_entry(rank, "== 1", power="**2") if rank else Always("{x}**2 == 1")


def bits(rank: int) -> Always:
    """Every entry is 0 or 1."""
    entry = ("{x}", "{x}[{i}]", "{x}[{i}, {j}]")[rank]
    return each_entry(rank, f"== {entry}", power="**2") if rank else Always("{x}**2 == {x}")


def _simplex(rest: Sequence[Token], whole: Sequence[Token]) -> Attributes | None:
    r"""\Delta^{n-1} has n entries; \Delta_n may have n or n + 1."""
    if not rest:
        return None
    if rest[0].text not in ("^", "_"):
        return None
    script, place = group(rest, 1)
    if place != len(rest):
        return None
    if texts(script)[-2:] == ["-", "1"]:
        return (Family("simplex", (scalar_text(script[:-2]),)),)
    raise Unsayable(
        f"the simplex {shown(list(whole))} may have one entry more than its index says",
        r"print \Delta^{n-1} for probability vectors with n entries, or say it in words",
    )


def _built_simplex(tokens: Sequence[Token]) -> Attributes | None:
    r"""\Delta_n := \{p \in \mathbb{R}^n : p_i \ge 0, \sum_i p_i = 1\}, maybe with its name before."""
    marks = texts(tokens)
    opened = marks.index(r"\{") if r"\{" in marks else -1
    if opened < 0 or marks[-1] != r"\}" or (opened and marks[opened - 1] not in ("=", r"\coloneqq")):
        return None
    parts = split(list(tokens[opened + 1 : -1]), ":", r"\mid")
    member = split(parts[0], r"\in") if len(parts) == 2 else []
    if len(member) != 2:
        return None
    conditions = ["".join(text for text in texts(part) if text not in "{}") for part in split(parts[1], ",")]
    name = "".join(text for text in texts(member[0]) if text not in "{}")
    spaces = read_set(member[1]) or ()
    letters = "ijk"
    every = {f"{name}_{index}\\ge0" for index in letters} | {f"{name}\\ge0"}
    every |= {text + f"\\forall{index}" for text in every for index in letters}
    whole = {f"\\sum_{index}{name}_{index}=1" for index in letters}
    match spaces:
        case (Space((size,)), *more):
            whole |= {f"\\sum_{index}=1^{size}{name}_{index}=1" for index in letters}
            whole |= {f"\\mathbf1^\\top{name}=1", f"\\boldsymbol1^\\top{name}=1", f"1^\\top{name}=1"}
            is_positive = any(isinstance(item, Always) for item in more) or bool(every & set(conditions))
            rest = [text for text in conditions if text not in every]
            if is_positive and len(rest) == 1 and rest[0] in whole:
                return (Family("simplex", (size,)),)
    return None


def _named(name: str, rest: Sequence[Token], whole: Sequence[Token]) -> Attributes | None:
    r"""\mathrm{O}(n), \mathcal{S}^{d-1}, S^{d-1}; other sets by a letter are not known."""
    if name == "O" and rest and rest[0].text == "(" and rest[-1].text == ")":
        return (Family("orthogonal", (scalar_text(rest[1:-1]),)),)
    if name == "S" and rest and rest[0].text == "^":
        scripts = _scripts(rest)
        if scripts is not None and not scripts[0] and texts(scripts[1])[-2:] == ["-", "1"]:
            return _sphere_or_symmetric("", scripts[1], whole)
    return None
