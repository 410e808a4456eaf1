r"""Laws as formulas print them: `\mathcal{N}(0, \sigma^2)`, `\mathrm{Unif}[0, 1]`, `\mathrm{Bernoulli}(p)`.

The kinds that the claim language has are looked up where it declares symbols. A law that it has no kind for
yet is refused with that reason, so that a new kind there is all that a law lacks here."""

from collections.abc import Sequence

from verifier.expr import syntax as S
from verifier.expr.declare import KINDS
from verifier.expr.tex.stream import shown
from verifier.expr.tex.tokens import Token
from verifier.read.prose.brackets import closing, split
from verifier.read.prose.scalars import root, scalar, scalar_text, squared_names
from verifier.read.prose.sets import read_set
from verifier.read.prose.spelling import group, texts, upright, whole_letter
from verifier.read.prose.values import Always, Law, Number, Space, Unsayable

# How a law's name is printed, and the kind of the claim language. Parameters follow in the printed order.
NAMES = {
    "N": "normal", "Normal": "normal", "Gaussian": "normal", "U": "uniform", "Unif": "uniform",
    "Uniform": "uniform", "Ber": "bernoulli", "Bern": "bernoulli", "Bernoulli": "bernoulli",
    "Rad": "rademacher", "Rademacher": "rademacher", "Exp": "exponential", "Exponential": "exponential",
    "Lap": "laplace", "Laplace": "laplace", "Gamma": "gamma", "Beta": "beta", "Poisson": "poisson",
    "Poi": "poisson", "Pois": "poisson", "Gumbel": "gumbel", "Cat": "categorical",
    "Categorical": "categorical",
    "Haar": "haar", "Wishart": "wishart", "Bin": "binomial", "Binomial": "binomial", "Student": "student",
    "Dirichlet": "dirichlet", "Dir": "dirichlet", "Cauchy": "cauchy", "Multinomial": "multinomial",
}  # fmt: skip


def no_kind(law: str) -> Unsayable:
    """The claim language cannot declare this law."""
    return Unsayable(
        f"the claim language has no kind of symbol for {law} yet",
        "declare what of it is used: iid(n, mean=..., var=...) for moments, random(n) for any law",
    )


def known(kind: str, law: str) -> str:
    """The kind, if the language as built has it."""
    if kind not in KINDS:
        raise no_kind(law)
    return kind


def read_law(tokens: Sequence[Token]) -> Law | None:
    """The law that these tokens print; None where they print none."""
    found = _name(tokens)
    if found is None:
        return None
    name, rest = found
    if name not in NAMES:
        return None
    kind = NAMES[name]
    if rest and rest[0].text == "_":
        _, place = group(rest, 1)
        rest = rest[place:]
    arguments = _arguments(rest)
    if arguments is None or (len(name) == 1 and not _is_plausible(kind, arguments)):
        return None
    match kind:
        case "normal":
            return _normal(arguments, tokens)
        case "uniform":
            return _uniform(rest, arguments, tokens)
        case "bernoulli":
            return _bernoulli(arguments, tokens)
        case "rademacher":
            return _rademacher(arguments, tokens)
    raise no_kind(f"the law {shown(list(tokens))}")


def _is_plausible(kind: str, arguments: list[list[Token]]) -> bool:
    """N alone and U(x) are letters: as laws, N has two arguments, and U two or a set."""
    return len(arguments) == 2 or (
        kind == "uniform" and len(arguments) == 1 and arguments[0][0].text in ("[", "(", r"\{", r"\mathbb")
    )


def _name(tokens: Sequence[Token]) -> tuple[str, Sequence[Token]] | None:
    if not tokens:
        return None
    if tokens[0].text.startswith("\\"):
        if tokens[0].text not in (
            r"\mathcal",
            r"\mathrm",
            r"\text",
            r"\operatorname",
            r"\mathsf",
            r"\textrm",
        ):
            return None
        inner, place = group(tokens, 1)
        return upright(inner), tokens[place:]
    at = 0
    while at < len(tokens) and tokens[at].is_letter:
        at += 1
    return "".join(texts(tokens[:at])), tokens[at:]


def _arguments(tokens: Sequence[Token]) -> list[list[Token]] | None:
    """What stands between the brackets of a law, which must close at the end."""
    if not tokens:
        return []
    if tokens[0].text not in ("(", "[", r"\{") or closing(tokens) != len(tokens) - 1:
        return None
    inner = tokens[1:-1]
    if any(not part for part in split(inner, ",", ";")):
        return None
    return split(inner, ",", ";")


def _wrong(tokens: Sequence[Token]) -> Unsayable:
    return Unsayable(f"the law {shown(list(tokens))} is not read", r"for example \mathcal{N}(0, \sigma^2)")


# --- normal -------------------------------------------------------------------------------------------------


def _normal(arguments: list[list[Token]], whole: Sequence[Token]) -> Law:
    if len(arguments) != 2:
        raise _wrong(whole)
    mean, spread = arguments
    options: list[str] = []
    if not _is_zero(mean):
        options.append(f"mean={scalar_text(mean)}")
    identity = _identity(spread)
    if identity is not None:
        factor, size = identity
        made = normal(None if factor is None else scalar(factor), tuple(options))
        sizes = None if size is None else (size,)
        return Law(made.kind, made.options, True, True, sizes, made.scales)
    letter = whole_letter(spread)
    if letter is not None and letter.latex.lstrip("\\")[:1].isupper() and not letter.indices:
        return Law("normal", (*options, f"cov={letter.name}"), covariance=(letter.name, letter.latex))
    if any(token.text in (r"\Sigma", r"\top") for token in spread) or _bold(spread):
        raise Unsayable(
            f"the covariance {shown(list(spread))} is not one letter", "name it: where $C = ...$, and write C"
        )
    return normal(scalar(spread), tuple(options))


def normal(variance: S.Syntax | None, options: tuple[str, ...] = ()) -> Law:
    """The normal law with this variance, 1 if none is given."""
    if variance is None:
        return Law("normal", options)
    std = root(variance)
    if std == "1":
        return Law("normal", options)
    return Law("normal", (*options, f"std={std}"), scales=squared_names(variance))


def _is_zero(tokens: Sequence[Token]) -> bool:
    return upright(tokens) in ("0",) or (upright(tokens).startswith("0_") and len(tokens) > 2)


def _bold(tokens: Sequence[Token]) -> bool:
    return any(token.text in (r"\mathbf", r"\boldsymbol") for token in tokens)


def _identity(tokens: Sequence[Token]) -> tuple[list[Token] | None, str | None] | None:
    r"""I, I_d, \sigma^2 I_d, \frac{1}{d} I_d, I_d/d: the factor and the size, None for what is not there."""
    places = [at for at, token in enumerate(tokens) if token.text == "I"]
    if len(places) != 1:
        return None
    start = places[0]
    end = start + 1
    if start and tokens[start - 1].text in (r"\mathbf", r"\boldsymbol", r"\mathbb", r"\mathrm"):
        start -= 1
    elif (
        start > 1 and tokens[start - 1].text == "{" and tokens[start - 2].text in (r"\mathbf", r"\boldsymbol")
    ):
        start, end = start - 2, end + 1
    size: str | None = None
    if end < len(tokens) and tokens[end].text == "_":
        script, end = group(tokens, end + 1)
        size = scalar_text(split(script, r"\times")[0])
    before = list(tokens[:start])
    if before and before[-1].text in (r"\cdot", "*"):
        before = before[:-1]
    after = list(tokens[end:])
    if after and after[0].text == "/":
        one = Token("1", after[0].span)
        return [*(before or [one]), *after], size
    if after:
        return None
    return before or None, size


# --- the others ---------------------------------------------------------------------------------------------


def _uniform(rest: Sequence[Token], arguments: list[list[Token]], whole: Sequence[Token]) -> Law:
    if len(arguments) == 2:
        first, last = (scalar_text(part) for part in arguments)
        if texts(rest)[:1] == [r"\{"]:
            return uniform_on(rest)
        return Law("uniform", (first, last))
    if len(arguments) == 1:
        return uniform_on(arguments[0])
    raise _wrong(whole)


def uniform_on(tokens: Sequence[Token]) -> Law:
    r"""The uniform law on a set: [a, b], [a, b]^n, \{-1, 1\}^n; of a sphere where the language has one."""
    attributes = read_set(tokens)
    if attributes is None:
        raise Unsayable(f"the set {shown(list(tokens))} is not known")
    conditions = [item.text for item in attributes if isinstance(item, Always)]
    space = next((item.sizes for item in attributes if isinstance(item, Space)), None)
    if "norm({x}) == 1" in conditions and space is not None:
        return Law(known("sphere", "the uniform law on the sphere"), (), sizes=space)
    if any("**2 == 1" in condition for condition in conditions):
        return Law("rademacher", (), entrywise=space is not None, independent=True, sizes=space)
    match texts(tokens):
        case ["[" | "(", *_]:
            return _uniform_interval(tokens, space)
    if any(isinstance(item, Number) and item.kind.startswith("index") for item in attributes):
        raise no_kind("the uniform law on whole numbers")
    raise no_kind(f"the uniform law on {shown(list(tokens))}")


def _uniform_interval(tokens: Sequence[Token], space: tuple[str, ...] | None) -> Law:
    end = next(at for at, token in enumerate(tokens) if token.text in ("]", ")"))
    ends = split(tokens[1:end], ",")
    if len(ends) != 2:
        raise no_kind("the uniform law on whole numbers")
    low, high = (scalar_text(part) for part in ends)
    return Law("uniform", (low, high), entrywise=space is not None, independent=True, sizes=space)


def _bernoulli(arguments: list[list[Token]], whole: Sequence[Token]) -> Law:
    if len(arguments) != 1:
        raise _wrong(whole)
    return bernoulli(scalar_text(arguments[0]))


def bernoulli(chance: str) -> Law:
    """1 with this chance, 0 otherwise."""
    return Law("bernoulli", (chance,), chance=chance if chance.isidentifier() else None)


def _rademacher(arguments: list[list[Token]], whole: Sequence[Token]) -> Law:
    if arguments and texts(arguments[0]) not in (["1", "/", "2"], ["\\frac", "1", "2"]):
        raise _wrong(whole)
    return Law("rademacher")
