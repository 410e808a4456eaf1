"""Claims as a hostile referee would write them, each with the truth.

Every family stands for one cause of wrong verdicts: a condition that is easily forgotten. The truth is known
by hand for the form, or worked out here in rational or high-precision arithmetic; nothing is shared with the
program but the language. A family yields true and false siblings that differ in just that condition.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from random import Random
from typing import Literal

from mpmath import mp

mp.dps = 30
Truth = Literal["true", "false", "meaningless"]


@dataclass(frozen=True)
class Statement:
    """One claim and what mathematics says of it; `loose`: whether a true bound can be improved."""

    family: str
    says: str
    truth: Truth
    symbols: dict[str, str]
    assumptions: tuple[str, ...] = ()
    layers: dict[str, str] = field(default_factory=dict)
    where: dict[str, int] = field(default_factory=dict)
    loose: bool | None = None
    along: str | None = None

    def spec(self, number: int) -> str:
        """A claim file with this claim alone."""
        lines = [f"theorem: referee/{self.family}-{number}", "symbols:"]
        lines += [f'  {name}: "{kind}"' for name, kind in self.symbols.items()]
        if self.layers:
            lines += ["layers:", *(f'  {key}: "{value}"' for key, value in self.layers.items())]
        if self.assumptions:
            lines += ["assumptions:", *(f'  a{at}: "{text}"' for at, text in enumerate(self.assumptions))]
        lines += ["claims:", "  c:", f'    says: "{self.says}"']
        if self.where:
            lines.append("    where: {" + ", ".join(f"{k}: {v}" for k, v in self.where.items()) + "}")
        if self.along is not None:
            lines.append(f"    as: {self.along} -> oo")
        return "\n".join(lines) + "\n"


Family = Callable[[Random], Iterator[Statement]]
VECTORS = {"n": "dimension", "x": "vector(n)", "y": "vector(n)"}


def one_entry(random: Random) -> Iterator[Statement]:
    """An equation about one entry, row, member or moment says nothing of the others."""
    i, j = random.sample(range(1, 6), 2)
    c = random.choice((2, 3, 5, Fraction(1, 2)))
    known, size = (f"x[{i}] == {c}*y[{i}]",), ("n >= 6",)

    def of(says: str, truth: Truth, assumed: tuple[str, ...] = known) -> Statement:
        return Statement("one-entry", says, truth, VECTORS, (*assumed, *size))

    yield of(f"x[{i}] - {c}*y[{i}] == 0", "true")
    yield of(f"x[{j}] - {c}*y[{j}] == 0", "false")
    yield of(f"norm(x - {c}*y) == 0", "false")
    yield of(f"norm(x)**2 >= {c * c}*y[{i}]**2", "true")
    yield of(f"norm(x)**2 >= {c * c}*y[{j}]**2", "false")
    rows = {"n": "dimension", "m": "dimension", "X": "matrix(n, m)"}
    yield Statement("one-entry", f"norm(X[{i}] - X[{j}]) == 0", "true", rows, (f"X[{i}] == X[{j}]", *size))
    yield Statement("one-entry", "norm(X[1] - X[6]) == 0", "false", rows, ("X[1] == X[2]", *size))
    moments = {"n": "dimension", "Z": "random(n, mean=0)"}
    yield Statement("one-entry", f"E(Z[{i}]**2) == {c}", "true", moments, (f"E(Z[{i}]**2) == {c}", *size))
    yield Statement("one-entry", f"E(norm(Z)**2) == {c}*n", "false", moments, (f"E(Z[{i}]**2) == {c}", *size))
    family = {"n": "dimension", "H": "dimension", "F": "normal(n, n, std=1, copies=H)"}
    yield Statement("one-entry", "E(norm(F[1])**2) == n**2", "true", family, ("H >= 2",))
    yield Statement("one-entry", "E(norm(F[1])**2) == n", "false", family, ("H >= 2",))


def tied_weights(random: Random) -> Iterator[Statement]:
    """A draw that all layers share is one draw: E w**(2L) is not a product of second moments."""
    depth, n, c = random.choice((1, 2, 3, 4)), 1, random.randint(1, 30)
    symbols = {
        "n": "dimension",
        "L": "dimension",
        "s": "positive",
        "x": "vector(n)",
        "W": f"normal(n, n, std={c}*s)",
    }
    layers = {"state": "x", "depth": "L", "next": "W @ x"}
    odd = c ** (2 * depth)
    for k in range(1, 2 * depth, 2):
        odd *= k  # E w**(2 depth) = (2 depth - 1)!! s**(2 depth)

    def of(factor: Fraction, truth: Truth) -> Statement:
        says = f"E(norm(after(x, {depth}))**2) == {factor}*s**{2 * depth}*norm(x)**2"
        return Statement("tied-weights", says, truth, symbols, layers=layers, where={"n": n})

    yield of(Fraction(odd), "true")
    yield of(Fraction(odd) + random.choice((1, Fraction(1, 2), 2)), "false")
    if depth > 1:
        yield of(Fraction(c ** (2 * depth)), "false")


def functions_at_numbers(random: Random) -> Iterator[Statement]:
    """Chances and functions at numbers, squares among them, against rationals near them."""
    a = Fraction(random.randint(1, 16), random.choice((1, 1, 2, 4)))
    symbols = {"g": "normal(1, std=1)", "t": "interval(0, 1)"}
    values = {
        f"P(abs(g) <= {a})": mp.erf(mp.mpf(a.numerator) / a.denominator / mp.sqrt(2)),
        f"P(g >= {a})": mp.erfc(mp.mpf(a.numerator) / a.denominator / mp.sqrt(2)) / 2,
        f"Phi({a})": mp.ncdf(mp.mpf(a.numerator) / a.denominator),
        f"exp(-{a})": mp.exp(-mp.mpf(a.numerator) / a.denominator),
        f"E(exp(-{a}*g**2))": 1 / mp.sqrt(1 + 2 * mp.mpf(a.numerator) / a.denominator),
    }
    for text, value in values.items():
        above = Fraction(int(mp.ceil(value * 1000)) + 1, 1000)
        below = Fraction(int(mp.floor(value * 1000)) - 1, 1000)
        op, bound, truth = random.choice(
            (
                (" <= ", above, "true"),
                (" <= ", below, "false"),
                (" >= ", below, "true"),
                (" >= ", above, "false"),
            )
        )
        yield Statement("functions-at-numbers", f"{text}{op}{bound}", truth, symbols)  # type: ignore[arg-type]


FINITE = (
    "1/(1 + g**2)",
    "exp(g)",
    "exp(-g**2)",
    "exp(g**2/4)",
    "g**4",
    "tanh(g)",
    "abs(g)",
    "cos(g)",
    "Phi(g)",
)
INFINITE = (
    "1/Phi(g)", "exp(g**3)", "exp(g**2/2)", "exp(g**2)", "1/g", "1/g**2", "exp(g**4)", "g/Phi(g)",
    "exp(exp(g**2))",
)  # fmt: skip


def no_mean(random: Random) -> Iterator[Statement]:
    """A mean that is infinite cancels nothing, and symmetry does not help it."""
    symbols = {
        "g": "normal(1, std=1)",
        "r": "rademacher(1)",
        "h": "normal(1, std=1)",
        "b": "bernoulli(1, 1/2)",
    }
    good, bad, c = random.choice(FINITE), random.choice(INFINITE), random.randint(2, 40)

    def of(says: str, truth: Truth) -> Statement:
        return Statement("no-mean", says, truth, symbols)

    yield of(f"E(r*({good})) == 0", "true")
    yield of(f"E({c}*r*({bad})) == 0", "meaningless")
    yield of(f"E({good}) - E({good}) == 0", "true")
    yield of(f"E({bad}) - E({bad}) == 0", "meaningless")
    yield of(f"E(r*({bad}) + {c}) == {c}", "meaningless")
    yield of(random.choice((f"E({c}*h/b) == 0", f"E({c}*h/g) == 0", f"E(r/({c}*g)) == 0")), "meaningless")
    yield of(f"E(h*({good})) == {c}", "false")


EVEN = ("tanh({})**2", "log(1 + ({})**2)", "1 - exp(-({})**2)", "abs(tanh({}))", "({})**2/(1 + ({})**2)")


def hidden_parameters(random: Random) -> Iterator[Statement]:
    """A mean without a closed form depends on what stands inside: of even functions it grows with a scale."""
    form, c = random.choice(EVEN), random.randint(1, 20)
    body = form.replace("{}", f"{c}*s*g")
    symbols = {"s": "positive", "g": "normal(1, std=1)"}
    for op, truth in ((">", "true"), ("==", "false"), ("<=", "false"), (">=", "true")):
        yield Statement("hidden-parameters", f"D(E({body}), s) {op} 0", truth, symbols)  # type: ignore[arg-type]
    yield Statement("hidden-parameters", f"E({body}) >= 0", "true", symbols)
    yield Statement("hidden-parameters", f"E({body}) <= 0", "false", symbols)


def jumps(random: Random) -> Iterator[Statement]:
    """The derivative of a chance is a density, not the mean of a derivative that is 0 almost everywhere."""
    c = random.randint(1, 30)
    symbols = {"b": "positive", "t": "real", "g": "normal(1, std=1)", "u": "uniform(1, 1, 0, 1)"}
    forms = [
        (f"D(P(exp({c}*g) <= b), b)", None),
        (f"D(P({c}*g <= t), t)", f"phi(t/{c})/{c}"),
        (f"D(P(g**3 <= t + {c}), t)", None),
        (f"D(P({c}*g + t <= 0), t)", f"-phi(t/{c})/{c}"),
    ]
    text, density = random.choice(forms)
    sign = -1 if density is not None and density.startswith("-") else 1
    yield Statement("jumps", f"{text} == 0", "false", symbols)
    yield Statement("jumps", f"{text} {'>=' if sign > 0 else '<='} 0", "true", symbols)
    yield Statement("jumps", f"{text} {'<=' if sign > 0 else '>='} 0", "false", symbols)
    if density is not None:
        yield Statement("jumps", f"{text} == {density}", "true", symbols)
        yield Statement("jumps", f"{text} == 2*({density})", "false", symbols)


def totals(random: Random) -> Iterator[Statement]:
    """Weights that sum to 1 over one index do not over two."""
    bounded = random.choice(("tanh({})", "sin({})", "cos({})", "sigmoid({})"))
    weight = random.choice(("softmax(z.T)[1, j]", "p[j]", "S[1, j]"))
    symbols = {
        "n": "dimension", "m": "dimension", "z": "vector(m)", "p": "simplex(m)", "S": "stochastic(n, m)",
        "A": "matrix(n, m)",
    }  # fmt: skip
    term, one = f"{weight}*{bounded.format('A[i, j]')}", f"{weight}*{bounded.format('A[1, j]')}"
    c = random.randint(2, 200)
    yield Statement("totals", f"sum({term}, i, 1, n, j, 1, m) <= {c}", "false", symbols)
    yield Statement("totals", f"sum({term}, i, 1, n, j, 1, m) <= n", "true", symbols)
    yield Statement("totals", f"sum({one}, j, 1, m) <= 1", "true", symbols)
    yield Statement("totals", f"sum({one}, j, 1, m) <= 1/2", "false", symbols)


def exchangeable(random: Random) -> Iterator[Statement]:
    """Entries that share a draw are not exchangeable."""
    symbols = {
        "n": "dimension",
        "s": "positive",
        "V": "normal(n, n, std=s)",
        "U": "normal(n, n, std=1)",
        "x": "vector(n)",
    }
    c = random.randint(1, 30)
    for body, truth in (
        (f"{c}*V", "true"), (f"V + {c}*U", "true"), (f"V.T/{c}", "true"), (f"V + {c}*V.T", "false"),
        (f"{c}*V @ V.T", "false"), (f"V + {c}*eye(n)", "false"),
    ):  # fmt: skip
        if random.random() < 0.6:
            yield Statement("exchangeable", f"E(softmax({body})) == ones(n, n)/n", truth, symbols)  # type: ignore[arg-type]


def open_sets(random: Random) -> Iterator[Statement]:
    """Equality on an open set hides where the sides part."""
    p, r = random.choice(("1", "oo", "2")), random.randint(1, 30)
    ball = [f"{v}/max(1, norm({v})/{r})" for v in "xy"]
    end = "" if p == "2" else f", {p}"
    says = f"norm({ball[0]} - {ball[1]}{end}) <= norm(x - y{end})"
    yield Statement("open-sets", says, "true" if p == "2" else "false", VECTORS, ("n >= 2",))
    yield Statement("open-sets", f"norm(relu(x) - relu(y){end}) <= norm(x - y{end})", "true", VECTORS)
    reals = {"t": "real", "s": "real"}
    yield Statement("open-sets", f"abs(max(t, {r}) - max(s, {r})) <= abs(t - s)", "true", reals)
    yield Statement("open-sets", f"max(t, {r})**2 - max(s, {r})**2 <= {r}*abs(t - s)", "false", reals)


def boundaries(random: Random) -> Iterator[Statement]:
    """Maxima on the boundary of what is assumed, in three spellings, missed or met by a hair."""
    a, b, r = random.randint(1, 9), random.randint(1, 9), random.randint(1, 4)
    top = mp.sqrt(a * a + b * b) * r
    digits = random.choice((3, 4, 5))
    below = Fraction(int(mp.floor(top * 10**digits)), 10**digits)
    symbols = {"x": "real", "y": "real"}
    is_exact = mp.mpf(below.numerator) / below.denominator == top
    for spelt in (f"x**2 + y**2 <= {r * r}", f"{r * r} - x**2 - y**2 >= 0", f"x**2 <= {r * r} - y**2"):
        yield Statement(
            "boundaries", f"{a}*x + {b}*y <= {below}", "true" if is_exact else "false", symbols, (spelt,)
        )
        yield Statement(
            "boundaries", f"{a}*x + {b}*y <= {r}*sqrt({a * a + b * b})", "true", symbols, (spelt,)
        )
    yield Statement("boundaries", f"x**2 < {a + 1}", "false", symbols, (f"x**2 <= {a + 1}",))
    yield Statement("boundaries", f"x**2 <= {a + 1}", "true", symbols, (f"x**2 <= {a + 1}",))


def rounding(random: Random) -> Iterator[Statement]:
    """What agrees to rounding need not be equal."""
    k = random.randint(4, 24)
    symbols = {
        "n": "dimension",
        "t": "real",
        "x": "vector(n)",
        "X": "matrix(n, n)",
        "g": f"normal(1, std=1e-{k})",
    }
    odd = random.choice(("tanh", "sin"))
    yield Statement("rounding", f"{odd}(t/10**{k}) == t/10**{k}", "false", symbols)
    yield Statement("rounding", f"norm(X/10**{k})**2 == norm(X)**2/10**{2 * k}", "true", symbols)
    yield Statement(
        "rounding", f"norm(X/10**{k})**2 == norm(X)**2/10**{2 * k} + 1/10**{9 * k}", "false", symbols
    )
    yield Statement("rounding", f"binomial(n, 2**{random.choice((3, 4))})*norm(x) == 0", "false", symbols)
    yield Statement("rounding", f"E(g**2) == 1/10**{2 * k}", "true", symbols)
    yield Statement("rounding", f"E(g**4) == 2/10**{4 * k}", "false", symbols)
    yield Statement("rounding", "E(tanh(g)) == 0", "true", symbols)
    yield Statement("rounding", f"E(tanh(g)**2) == 1/10**{2 * k}", "false", symbols)


def slow_sums(random: Random) -> Iterator[Statement]:
    """Sums that come to their limit slowly, and from which side."""
    symbols = {"n": "dimension"}
    digits = random.randint(1, 7)
    low = Fraction(int(mp.floor(mp.euler * 10**digits)), 10**digits)
    yield Statement("slow-sums", f"sum(1/k, k, 1, n) - log(n) >= {low}", "true", symbols)
    yield Statement(
        "slow-sums", f"sum(1/k, k, 1, n) - log(n) >= {low + Fraction(1, 10**digits)}", "false", symbols
    )
    top = Fraction(int(mp.floor(mp.zeta(2) * 10**digits)), 10**digits)
    yield Statement("slow-sums", f"sum(1/k**2, k, 1, n) <= {top}", "false", symbols)
    yield Statement("slow-sums", f"sum(1/k**2, k, 1, n) <= {top + Fraction(1, 10**digits)}", "true", symbols)
    yield Statement("slow-sums", f"sum(1/k, k, 1, n) <= {random.randint(5, 60)}", "false", symbols)
    m = random.randint(2, 12)
    yield Statement("slow-sums", f"sum(binomial({m}, k), k, 0, {m}) == {2**m}", "true", symbols)
    yield Statement(
        "slow-sums", f"sum(binomial(n, k), k, 0, n) == {2 ** (m + 1)}*2**(n - {m + 1})", "true", symbols
    )


def far_away(random: Random) -> Iterator[Statement]:
    """Underflow, needles and almost-periods: false only far out, or only in a narrow place."""
    symbols = {"t": "positive", "x": "real"}
    k, c = random.choice((2, 3, 5, 6, 7)), random.randint(1, 30)
    yield Statement("far-away", f"1 - Phi(t) <= {c}*exp(-t**2/2)/2", "true", symbols)
    yield Statement("far-away", f"1 - Phi(t) <= exp(-t**2/2 - t/{random.randint(10, 60)})", "false", symbols)
    yield Statement("far-away", f"cos(x) + cos(sqrt({k})*x) >= -2", "true", symbols)
    yield Statement(
        "far-away",
        f"cos(x) + cos(sqrt({k})*x) >= -{random.choice(('1.9', '1.99', '1.995', '1.999'))}",
        "false",
        symbols,
    )
    centre, width = random.randint(1, 200), random.randint(2, 6)
    needle = f"exp(-10**{width}*(x - {centre})**2)"
    yield Statement("far-away", f"{needle} <= 1/2", "false", symbols)
    yield Statement("far-away", f"{needle} <= 1", "true", symbols)


def sorted_entries(random: Random) -> Iterator[Statement]:
    """How tight a bound is depends on what is assumed."""
    symbols, order = (
        {"n": "dimension", "l": "vector(n)"},
        ("all(l[i] >= l[i + 1], i, 1, n - 1)", "all(l[i] >= 0, i, 1, n)", "n >= 6"),
    )
    k, c = random.randint(2, 5), random.randint(1, 40)
    total = "sum(l[i], i, 1, n)"
    yield Statement("sorted-entries", f"{c}*l[{k}] <= {c}*{total}/{k}", "true", symbols, order, loose=False)
    yield Statement(
        "sorted-entries", f"{c}*l[{k}] <= {c}*{total}/{k - 1}", "true", symbols, order, loose=True
    )
    yield Statement("sorted-entries", f"{c}*l[{k}] <= {c}*{total}/{k + 1}", "false", symbols, order)


def self_named(random: Random) -> Iterator[Statement]:
    """An equation that names what it defines is a condition, not a definition."""
    c, d = random.choice((2, 3)), random.randint(1, 40)
    square = {"n": "dimension", "A": "matrix(n, n)"}
    yield Statement("self-named", f"{d}*norm(A - A.T) == 0", "true", square, ("A == A.T",))
    yield Statement("self-named", f"norm(A) <= {d}", "false", square, ("A == A.T",))
    fixed = {"r": "real"}
    yield Statement("self-named", f"{d}*r**{2 * c} <= {d}", "true", fixed, ("r == tanh(r)",))
    yield Statement("self-named", f"{d}*r**{c} == {d}", "false", fixed, (f"r == r**{c + 1}",))


def parabolas(random: Random) -> Iterator[Statement]:
    """Quadratics with discriminants near 0, on the line and above assumed ends."""
    a, b = random.randint(1, 9), random.randint(-9, 9)
    c = Fraction(b * b, 4 * a)
    hair = Fraction(1, 10 ** random.choice((1, 3, 6)))
    symbols = {"x": "real"}
    for shift, truth in ((Fraction(0), "true"), (-hair, "false"), (hair, "true")):
        says = f"{a}*x**2 + {b}*x + {c + shift} >= 0"
        yield Statement("parabolas", says, truth, symbols, loose=None)  # type: ignore[arg-type]


def moments(random: Random) -> Iterator[Statement]:
    """Moments of sums of signs and normals, from their generating functions, against a slip."""
    n, k = random.randint(2, 9), random.choice((2, 4))
    signs = sum(Fraction(comb(n, j) * (n - 2 * j) ** k, 2**n) for j in range(n + 1))
    symbols = {"n": "dimension", "e": "rademacher(n)", "w": "normal(n, std=2)"}
    for shift, truth in ((0, "true"), (random.choice((1, -1, 2, 5, 7)), "false")):
        says = f"E(sum(e[i], i, 1, n)**{k}) == {signs + shift}"
        yield Statement("moments", says, truth, symbols, where={"n": n})  # type: ignore[arg-type]
    normal = {2: Fraction(4 * n), 4: Fraction(3 * 16 * n * n)}[k]
    for shift, truth in ((0, "true"), (random.choice((1, -1, 2, 5, 7)), "false")):
        says = f"E(sum(w[i], i, 1, n)**{k}) == {normal + shift}"
        yield Statement("moments", says, truth, symbols, where={"n": n})  # type: ignore[arg-type]


def growth(random: Random) -> Iterator[Statement]:
    """Orders of rational functions of a size, beside a symbol that is called ratio."""
    p, q, c = random.randint(0, 4), random.randint(0, 4), random.randint(1, 9)
    symbols = {"n": "dimension", "ratio": "positive", "x": "vector(n)"}
    body = f"(ratio*n**{p} + {c}*n)/(n**{q} + 1)"
    order = max(p, 1) - q
    for guess in (order, order + 1, order - 1):
        for op, kind, truth in (
            ("<=", "O", guess >= order),
            (">=", "Omega", guess <= order),
            ("==", "Theta", guess == order),
        ):
            if random.random() < 0.4:
                says = f"{body} {op} {kind}(n**({guess}))"
                yield Statement("growth", says, "true" if truth else "false", symbols, along="n")


FAMILIES: tuple[Family, ...] = (
    one_entry, tied_weights, functions_at_numbers, no_mean, hidden_parameters, jumps, totals, exchangeable,
    open_sets, boundaries, rounding, slow_sums, far_away, sorted_entries, self_named, parabolas, moments,
    growth,
)  # fmt: skip


def statements(seed: int, wanted: int) -> list[Statement]:
    """So many different statements, about as many of each family."""
    share = -(-wanted // len(FAMILIES))
    return [item for family in FAMILIES for item in _of_family(family, seed, share)][:wanted]


def _of_family(family: Family, seed: int, share: int) -> list[Statement]:
    found: dict[tuple[str, tuple[str, ...], str], Statement] = {}
    for number in range(50 * share):
        for item in family(Random(f"{seed}/{number}/{family.__name__}")):
            found.setdefault((item.says, item.assumptions, repr(item.symbols)), item)
        if len(found) >= share:
            break
    return list(found.values())[:share]
