r"""Productions for what is random: laws, entries, moments, how things are drawn.

`i.i.d. $\mathcal{N}(0, \sigma^2)$ entries`, `drawn uniformly at random from $[0, 1]$`, `zero mean and
variance $v$`."""

from dataclasses import replace
from typing import Any

from verifier.expr import syntax as S
from verifier.read.prose.build import Subject, attach, is_, joined, refusing
from verifier.read.prose.grammar import Mismatch, Production
from verifier.read.prose.laws import bernoulli, known, no_kind
from verifier.read.prose.scalars import text
from verifier.read.prose.values import (
    Always,
    Attribute,
    Facts,
    Form,
    Independent,
    Is,
    Law,
    Letter,
    Moments,
    Noun,
    Random,
    Unsayable,
)

P = Production


def _law(law: Law) -> Noun:
    return Noun((law,))


def entrywise(*nouns: Noun | None) -> Noun:
    """What is said of entries; that they are random numbers adds nothing to it."""
    said = joined(*nouns)
    if not said.attributes and not said.facts:
        raise Unsayable("nothing is said of the entries")
    laws = [item for item in said.attributes if isinstance(item, Law)]
    if laws and not any(isinstance(item, Independent) for item in said.attributes):
        raise Unsayable("nothing says that the entries are independent", "say `i.i.d. entries`")
    kept = (item for item in said.attributes if not isinstance(item, Random) and item != Form(0))
    return Noun(tuple(_entrywise(item) for item in kept), said.facts)


def _entrywise(item: Attribute) -> Attribute:
    match item:
        case Law(sizes=None, covariance=None):
            return replace(item, entrywise=True)
        case Moments():
            return item
        case Independent(identical):
            return Independent(identical, of_entries=True)
    raise Unsayable("the law of an entry is that of a number", "say it of the whole matrix or vector")


def in_turn(subject: Subject, independent: Noun, *laws: Noun) -> Facts:
    """What is said `respectively`: the first law of the entries of the first letter."""
    letters, facts = subject
    if len(letters) != len(laws):
        raise Mismatch
    each = (attach((letter,), entrywise(independent, law)) for letter, law in zip(letters, laws, strict=True))
    return (*facts, *(fact for said in each for fact in said))


def _whole(noun: Noun) -> Noun:
    """A standard normal vector has independent entries, and so has one of random signs."""
    plain = (Law("normal"), Law("rademacher"))
    made = (
        replace(item, entrywise=True, independent=True) if isinstance(item, Law) and item in plain else item
        for item in noun.attributes
    )
    return Noun(tuple(made))


def _variables(independent: Noun | None, law: Noun, spread: Noun | None) -> Noun:
    """Standard normal random variables: random numbers with that law."""
    return joined(independent, _whole(law), Noun((Random(), Form(0))), spread)


def along(which: str) -> Any:
    """A law of rows or columns whose entries are independent."""

    def build(*nouns: Noun | None) -> Noun:
        made: list[Attribute] = []
        for item in joined(*nouns).attributes:
            match item:
                case Law(kind, options, True, _, sizes, scales, None):
                    length = None if sizes is None else sizes[0]
                    made.append(Law(kind, options, True, True, None, scales, None, (which, length)))
                case Independent(identical):
                    made.append(Independent(identical, of_entries=True))
                case _:
                    raise Unsayable(
                        f"{which} with such a law cannot be declared",
                        r"the entries of each must be independent: $\mathcal{N}(0, \sigma^2 I_n)$",
                    )
        return Noun(tuple(made))

    return build


def _entries_drawn(independent: Noun | None, member: tuple[tuple[Letter, ...], Facts]) -> Noun:
    r"""i.i.d. entries $W_{ij} \sim law$"""
    letters, facts = member
    if len(letters) != 1 or not letters[0].indices:
        raise Unsayable("this is not an entry", r"for example $W_{ij} \sim \mathcal{N}(0, 1)$")
    said = tuple(Is(letters[0], item) for item in (independent or Noun()).attributes)
    return Noun((), (*facts, *said))


Quantity = tuple[S.Syntax, Facts]


def _moment(name: str) -> Any:
    """Mean, variance or deviation, and what is said of that number."""
    return lambda value: Noun((Moments(**{name: text(value[0])}),), value[1])


def _bernoulli_with(chance: Quantity) -> Noun:
    return Noun((bernoulli(text(chance[0])),), chance[1])


_SPHERE = "the uniform law on the sphere"
_HAAR = "the uniform law on the orthogonal matrices"


def _kind(kind: str, law: str) -> Any:
    return lambda *slots: Noun((Law(known(kind, law)),))


_W = r"$W \in \mathbb{R}^{m \times n}$"
_X = r"$x \in \mathbb{R}^n$"
_MN = ("m: dimension", "n: dimension")
_N = ("n: dimension",)

LAWS = (
    P("LAWNAME", "$law", _law, rf"Let {_W} have i.i.d. $\mathcal{{N}}(0, \sigma^2)$ entries.",
      ("W: normal(m, n, std=sigma)", *_MN, "sigma: positive")),
    P("LAWNAME", "standard gaussians|normals", is_(Law("normal")),
      f"Assume that the entries of {_X} are independent standard Gaussians.", (*_N, "x: normal(n)")),
    P("DRAWN", "[IID] LAWNAME random variables [SPREAD]", _variables,
      f"Assume that the entries of {_X} are i.i.d. standard normal random variables.", (*_N, "x: normal(n)")),
    P("NOUN", "bernoulli random variable|variables with parameter|probability $quantity",
      _bernoulli_with,
      r"Let $b_1, \dots, b_n$ be i.i.d. Bernoulli random variables with parameter $p$.",
      ("b: bernoulli(n, p)", *_N, "p: interval(0, 1)")),
    P("LAWNAME", "standard normal|gaussian", is_(Law("normal")),
      f"Let {_W} have i.i.d. standard normal entries.",
      ("W: normal(m, n)", *_MN)),
    P("LAWNAME", "normal|gaussian", is_(Law("gaussian")),
      f"Let {_X} have i.i.d. Gaussian entries with mean zero and variance $1/n$.",
      (*_N, "x: normal(n, std=1/sqrt(n))")),
    P("LAWNAME", "rademacher", is_(Law("rademacher")), f"Let {_X} have i.i.d. Rademacher entries.",
      (*_N, "x: rademacher(n)")),
    P("LAWNAME", "random sign|signs", is_(Law("rademacher")),
      r"Let $\epsilon_1, \dots, \epsilon_n$ be independent random signs.", ("epsilon: rademacher(n)", *_N)),
    P("LAWNAME", "bernoulli with parameter|probability $quantity", _bernoulli_with,
      r"Let the entries of $b \in \mathbb{R}^n$ be i.i.d. Bernoulli with parameter $p$.",
      ("b: bernoulli(n, p)", *_N, "p: interval(0, 1)")),
    P("LAWNAME", "bernoulli ( $quantity )", _bernoulli_with,
      r"Let $b \in \{0, 1\}^n$ have independent Bernoulli($p$) entries.",
      ("b: bernoulli(n, p)", *_N, "p: interval(0, 1)")),
    P("LAWNAME", "exponential|laplace|poisson|gamma|beta|cauchy|binomial|geometric|dirichlet|wishart|gumbel",
      refusing(no_kind("such a law").reason, no_kind("such a law").hint),
      f"Let {_X} have i.i.d. exponential entries.", refuses="no kind of symbol for such a law"),
    P("UNIFORM", "uniform on|over|in [the] [interval] $uniform", _law,
      r"Assume that the entries of $x \in \mathbb{R}^n$ are i.i.d. uniform on $[-1, 1]$.",
      (*_N, "x: uniform(n, -1, 1)")),
    P("UNIFORM",
      "uniformly distributed|drawn|sampled [at] [random] on|over|in|from [the] [interval] $uniform", _law,
      r"Assume that $t$ is uniformly distributed on $[a, b]$.", ("t: uniform(a, b)",)),
    P("UNIFORM",
      "drawn|sampled|distributed uniformly [at] [random] on|over|in|from [the] [interval] $uniform", _law,
      r"Let $t$ be drawn uniformly at random from $[0, 1]$.", ("t: uniform(0, 1)",)),
    P("UNIFORM", "uniform on|over the [unit] sphere", _kind("sphere", _SPHERE),
      f"Let {_X} be a random vector uniform on the unit sphere.", refuses="law on the sphere"),
    P("UNIFORM", "uniformly distributed|drawn|sampled [at] [random] on|over|from the [unit] sphere",
      _kind("sphere", _SPHERE), f"Let {_X} be uniformly distributed on the sphere.",
      refuses="law on the sphere"),
    P("UNIFORM", "drawn|sampled|distributed uniformly [at] [random] on|over|from the [unit] sphere",
      _kind("sphere", _SPHERE), f"Let {_X} be drawn uniformly at random from the unit sphere.",
      refuses="law on the sphere"),
    P("UNIFORM", "haar distributed|random", _kind("haar", _HAAR),
      r"Let $U \in \mathbb{R}^{n \times n}$ be Haar distributed.", refuses="orthogonal matrices"),
    P("UNIFORM", "uniformly distributed|drawn|sampled on|over|from the orthogonal group", _kind("haar",
      _HAAR),
      r"Let $U \in \mathbb{R}^{n \times n}$ be uniformly distributed on the orthogonal group.",
      refuses="orthogonal matrices"),
)  # fmt: skip

INDEPENDENCE = (
    P("IID", "iid", is_(Independent(True)), f"Let {_X} have i.i.d. standard Gaussian entries.",
      (*_N, "x: normal(n)")),
    P("IID", "independent", is_(Independent(False)), f"Let {_X} have independent standard Gaussian entries.",
      (*_N, "x: normal(n)")),
    P("IID", "independent|independently and identically distributed", is_(Independent(True)),
      f"Let {_X} have independent and identically distributed entries with zero mean and unit variance.",
      (*_N, "x: iid(n, mean=0, var=1)")),
    P("IID", "independent identically distributed", is_(Independent(True)),
      f"Let {_X} have independent identically distributed entries with zero mean.", (*_N,
      "x: iid(n, mean=0)")),
    P("HOW", "independently|iid", is_(Independent(True)),
      f"Assume that the entries of {_X} are drawn independently from $\\mathcal{{N}}(0, 1)$.", (*_N,
      "x: normal(n)")),
    P("HOW", "independently and identically", is_(Independent(True)),
      f"The entries of {_X} are drawn independently and identically from $\\mathcal{{N}}(0, 1)$.",
      (*_N, "x: normal(n)")),
    P("DRAWN",
      "[HOW] drawn|sampled|distributed|initialized [HOW] [at] [random] from|according|as|with [to] [HOW] "
      "[a|an|the] LAWNAME [distribution|law] [SPREAD]", joined,
      f"Let the entries of {_W} be drawn i.i.d. from $\\mathcal{{N}}(0, 1/n)$.",
      ("W: normal(m, n, std=1/sqrt(n))", *_MN)),
    P("DRAWN", "[HOW] UNIFORM", joined,
      f"The entries of {_X} are independently drawn uniformly from $[0, 1]$.",
      (*_N, "x: uniform(n, 0, 1)")),
    P("DRAWN", "[IID] LAWNAME [SPREAD]", joined,
      r"Let $x_1, \dots, x_n$ be i.i.d. $\mathcal{N}(0, 1)$.", (*_N, "x: normal(n)")),
    P("DRAWN", "[IID] samples|draws from LAWNAME", joined,
      r"Let $x_1, \dots, x_n$ be i.i.d. samples from $\mathcal{N}(0, 1)$.", (*_N, "x: normal(n)")),
    P("DRAWN", "iid SPREAD", lambda spread: Noun((Independent(True),)) + spread,
      r"Let $x_1, \dots, x_n$ be i.i.d. with mean zero and variance $\sigma^2$.", (*_N,
      "x: iid(n, mean=0, var=sigma**2)")),
    P("DRAWN", "IID and DRAWN", joined,
      f"The entries of {_X} are independent and uniformly distributed on $[0, 1]$.", (*_N,
      "x: uniform(n, 0, 1)")),
    P("DRAWN", "IID and|, [have|has] MOMENTS", joined,
      f"The entries of {_X} are i.i.d. and have mean zero and unit variance.", (*_N,
      "x: iid(n, mean=0, var=1)")),
)  # fmt: skip

MOMENTS = (
    P("SPREAD", "with|of|having MOMENTS", joined,
      f"Let {_X} have i.i.d. entries with zero mean and unit variance.",
      (*_N, "x: iid(n, mean=0, var=1)")),
    P("MOMENTS", "MEANP and|, VARP", joined, f"Let {_X} have i.i.d. entries of mean $0$ and variance $v$.",
      (*_N, "x: iid(n, mean=0, var=v)")),
    P("MOMENTS", "MEANP", joined, f"Let {_X} have i.i.d. entries with mean $\\mu$.",
      (*_N, "x: iid(n, mean=mu)")),
    P("MOMENTS", "VARP", joined, f"Let {_X} have i.i.d. entries with variance $v$.",
      (*_N, "x: iid(n, var=v)")),
    P("MEANP", "mean zero|0", is_(Moments(mean="0")),
      f"Let {_X} have i.i.d. entries with mean zero and variance $2$.",
      (*_N, "x: iid(n, mean=0, var=2)")),
    P("MEANP", "unit mean|means", is_(Moments(mean="1")), f"Let {_X} have i.i.d. entries with unit mean.",
      (*_N, "x: iid(n, mean=1)")),
    P("MEANP", "mean one|1", is_(Moments(mean="1")),
      f"Let {_X} have i.i.d. entries with mean one and variance $v$.", (*_N, "x: iid(n, mean=1, var=v)")),
    P("MEANP", "zero mean", is_(Moments(mean="0")), f"Let {_X} have i.i.d. zero-mean entries.", (*_N,
      "x: iid(n, mean=0)")),
    P("MEANP", "mean $quantity", _moment("mean"),
      f"Let {_X} have i.i.d. entries with mean $1$ and variance $v$.",
      (*_N, "x: iid(n, mean=1, var=v)")),
    P("VARP", "unit variance", is_(Moments(var="1")), f"Let {_X} have i.i.d. entries with unit variance.",
      (*_N, "x: iid(n, var=1)")),
    P("VARP", "variance one|1", is_(Moments(var="1")),
      f"Let {_X} have i.i.d. entries with mean zero and variance one.",
      (*_N, "x: iid(n, mean=0, var=1)")),
    P("VARP", "variance $quantity", _moment("var"), f"Let {_X} have i.i.d. entries with variance $1/n$.",
      (*_N, "x: iid(n, var=1/n)")),
    P("VARP", "standard deviation $quantity", _moment("std"),
      f"Let {_X} have i.i.d. Gaussian entries with mean zero and standard deviation $s$.",
      (*_N, "s: positive", "x: normal(n, std=s)")),
)  # fmt: skip

ENTRIES = (
    P("ENTRIES", "IID random entries|components|coordinates|elements SPREAD", entrywise,
      f"Let {_X} have i.i.d. random entries with variance $v$.", (*_N, "x: iid(n, var=v)")),
    P("ENTRIES", "[IID] [LAWNAME] entries|components|coordinates|elements [SPREAD]", entrywise,
      f"Let {_W} have i.i.d. Rademacher entries.", ("W: rademacher(m, n)", *_MN)),
    P("ENTRIES",
      "[IID] bernoulli entries|components|coordinates|elements with parameter|probability $quantity",
      lambda iid, p: entrywise(iid, _law(bernoulli(text(p[0])))) + Noun((), p[1]),
      r"Let $b \in \{0, 1\}^n$ have i.i.d. Bernoulli entries with parameter $p \in [0, 1]$.",
      ("b: bernoulli(n, p)", *_N, "p: interval(0, 1)")),
    P("ENTRIES", "[IID] entries|components|coordinates|elements from [the] LAWNAME [distribution]", entrywise,
      f"Let {_X} have i.i.d. entries from $\\mathcal{{N}}(0, 1)$.", (*_N, "x: normal(n)")),
    P("ENTRIES", "[IID] centered|centred entries|components|coordinates|elements",
      lambda iid: entrywise(iid, Noun((Moments("0"),))), f"Let {_X} have i.i.d. centered entries.",
      (*_N, "x: iid(n, mean=0)")),
    P("ENTRIES", "[IID] MOMENTS entries|components|coordinates|elements [SPREAD]", entrywise,
      f"Let {_X} have i.i.d. zero-mean entries with variance $v$.", (*_N, "x: iid(n, mean=0, var=v)")),
    P("ENTRIES", "[IID] entries|components|coordinates|elements DRAWN", entrywise,
      f"Let {_X} have entries drawn i.i.d. from $\\mathcal{{N}}(0, 1)$.", (*_N, "x: normal(n)")),
    P("ENTRIES", "[IID] entries|components|coordinates|elements $member", _entries_drawn,
      rf"Let {_W} have i.i.d. entries $W_{{ij}} \sim \mathcal{{N}}(0, 1/n)$.",
      ("W: normal(m, n, std=1/sqrt(n))", *_MN)),
    P("ENTRIES", "[IID] LAWNAME rows", along("rows"),
      rf"Let {_W} have i.i.d. $\mathcal{{N}}(0, I_n)$ rows.", ("W: normal(m, n)", *_MN)),
    P("ENTRIES", "[IID] LAWNAME columns", along("columns"),
      rf"Let {_W} have i.i.d. $\mathcal{{N}}(0, I_m)$ columns.", ("W: normal(m, n)", *_MN)),
    P("RMOD", "LAWNAME", _whole, r"Let $x$ be a standard Gaussian vector in $\mathbb{R}^n$.", (*_N,
      "x: normal(n)")),
    P("RMOD", "IID", joined, r"Let $x, y$ be independent standard Gaussian vectors in $\mathbb{R}^n$.",
      (*_N, "x: normal(n)", "y: normal(n)")),
    P("RMOD", "MEANP", joined, f"Let {_X} be a zero-mean random vector.",
      (*_N, "x: random(n, mean=0)")),
    P("NOUN", "variable|variables", is_(Random(), Form(0)),
      r"Let $e_1, \dots, e_n$ be independent Rademacher variables.", ("e: rademacher(n)", *_N)),
    P("NOUN", "random variable|variables", is_(Random(), Form(0)),
      r"Let $z$ be a standard normal random variable.", ("z: normal()",)),
    P("POST", "with|having ENTRIES", joined,
      "Let $W$ be an $m \\times n$ matrix with i.i.d. standard normal entries.", ("W: normal(m, n)", *_MN)),
    P("POST", "whose entries|components|coordinates|elements are DRAWN", entrywise,
      "Let $W$ be an $m \\times n$ matrix whose entries are i.i.d. $\\mathcal{N}(0, 1)$.",
      ("W: normal(m, n)", *_MN)),
    P("POST", "whose rows are DRAWN [vectors]", along("rows"),
      r"Let $W \in \mathbb{R}^{m \times n}$ be a matrix whose rows are i.i.d. $\mathcal{N}(0, I_n)$.",
      ("W: normal(m, n)", *_MN)),
    P("POST", "whose columns are DRAWN [vectors]", along("columns"),
      r"Let $W \in \mathbb{R}^{m \times n}$ be a matrix whose columns are i.i.d. $\mathcal{N}(0, I_m)$.",
      ("W: normal(m, n)", *_MN)),
    P("NOUN", "vector of IID LAWNAME entries|variables|signs|components|coordinates|weights",
      lambda iid, law: entrywise(iid,
      law) + Noun((Form(1),)),
      r"Let $s \in \{-1, 1\}^n$ be a vector of independent Rademacher variables.", (*_N, "s: rademacher(n)")),
    P("NOUN", "vector of IID LAWNAME random variables",
      lambda iid, law: entrywise(iid, law) + Noun((Form(1),)),
      f"Let {_X} be a vector of i.i.d. standard normal random variables.", (*_N, "x: normal(n)")),
    P("POST", "with|having orthonormal columns", is_(Always("{x}.T @ {x} == eye({cols})")),
      r"Let $Q \in \mathbb{R}^{m \times n}$ be a matrix with orthonormal columns.",
      ("Q: matrix(m, n)", "Q.T @ Q == eye(n)", *_MN)),
    P("POST", "DRAWN", joined, r"Let $t$ be a number drawn from $\mathcal{N}(0, 1)$.", ("t: normal()",)),
    P("POST", "with finite mean|variance|expectation", is_(Random()),
      r"Let $z$ be a random variable with finite variance.", ("z: random()",)),
    P("POST", "with finite second moment|moments", is_(Random()),
      f"Let {_X} be a random vector with finite second moment.", (*_N, "x: random(n)")),
    P("POST", "SPREAD", joined, f"Let {_X} be a random vector with mean zero.", (*_N,
      "x: random(n, mean=0)")),
)  # fmt: skip
