"""Exact Gaussian expectations at symbolic sizes: CPU time per task, every answer checked.

    python benchmarks/isserlis.py [--slow]

Beside it, in the same run: plain enumeration of all pairings where there are not too many, and
tensorgrad 0.3.0 where it is installed, by default and at the best setting that we found for it.
--slow lets it go on to what takes it minutes.
"""

from __future__ import annotations

import argparse
import resource
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from time import process_time
from typing import Any

from verifier.symbolic.network import (
    Coefficient,
    Factor,
    Frame,
    Index,
    Law,
    Network,
    Normal,
    Ring,
    Sum,
    Tensor,
    expectation,
)

_FREE = Ring(("n", "d", "k", "sigma", "rho", "inv_n"))
RING = _FREE.modulo(_FREE["n"] * _FREE["inv_n"] - 1)
n, d, k, sigma, rho, inv_n = (RING[name] for name in RING.names)
FRAME = Frame.of(
    RING,
    {"n": n, "d": d, "k": k},
    [
        Tensor("X", ("n", "d")),
        Tensor("Q", ("d", "k")),
        Tensor("K", ("d", "k")),
        Tensor("R", ("n", "k")),
        Tensor("x", ("d",)),
        Tensor("y", ("n",)),
    ],
)


@dataclass(frozen=True)
class Task:
    """`networks` are the terms of the claim's left side; `check` is what is known of the answer."""

    name: str
    seconds: float  # the time it must stay within
    networks: tuple[Network, ...]
    laws: dict[str, Law]
    check: Callable[[Coefficient], bool]


# ---- the tasks ------------------------------------------------------------------------------


def factor(tensor: str, *labels: str) -> Factor:
    spaces = FRAME.spaces(tensor)
    return Factor(tensor, tuple(Index(x, s) for x, s in zip(labels, spaces, strict=True)))


def rising(size: Coefficient, p: int) -> Coefficient:
    """E norm(g)**(2p) for a standard normal g of that size: s (s + 2) ... (s + 2p - 2)"""
    return prod((size + 2 * i for i in range(p)), start=RING(1))


def odd(p: int) -> int:
    """(2p - 1)!!"""
    return prod(range(1, 2 * p, 2))


def gram(p: int, seconds: float) -> Task:
    """E tr((X'X)^p): at n = 1 the moment of a chi-square, symmetric in n and d."""
    letters = [(f"a{i}", f"b{j}") for i in range(p) for j in (i, (i + 1) % p)]

    def check(answer: Coefficient) -> bool:
        one_row = answer.compose(RING(1), d, k, sigma, rho, inv_n)
        return one_row == rising(d, p) and answer.compose(d, n, k, sigma, rho, inv_n) == answer

    network = Network(tuple(factor("X", *pair) for pair in letters))
    return Task(f"E tr((X'X)^{p})", seconds, (network,), {"X": Normal()}, check)


def correlated(shared: Coefficient | None = rho) -> Task:
    """E[norm(X)^2 norm(X'LX)^2], L = 1 - ones/n, rows of correlation `shared`. L removes what rows
    share, so that X'LX is that of n - 1 independent rows with variance s = sigma^2 (1 - rho),
    independent of the mean row."""
    square = (factor("X", "p", "q"), factor("X", "p", "q"))
    ends: list[tuple[Coefficient | int, str]] = [(1, "aaee"), (-2 * inv_n, "aaef"), (inv_n**2, "agef")]
    networks = tuple(
        Network((*square, *(factor("X", r, c) for r, c in zip(rows, "bcbc", strict=True))), weight)
        for weight, rows in ends
    )

    def check(answer: Coefficient) -> bool:
        variance, common = (sigma**2, rho) if shared is not None else (RING(1), RING(0))
        s = variance * (1 - common)
        m = n - 1
        centred = s**2 * m * d * (m + d + 1)
        mean_row = d * variance * (1 + (n - 1) * common)
        return answer == RING(centred * (s * (m * d + 4) + mean_row))

    law = Normal() if shared is None else Normal(std=sigma, row_corr=shared)
    name = "E[norm(X)^2 norm(X'LX)^2]" + (", rho = 0" if shared is None else "")
    return Task(name, 0.1, networks, {"X": law}, check)


def bilinear(p: int, seconds: float) -> Task:
    """E[(x'QR'y)^(2p)] = (2p-1)!! times the moments of three chi-squares"""
    chain = [
        (
            factor("x", f"a{t}"),
            factor("Q", f"a{t}", f"b{t}"),
            factor("R", f"c{t}", f"b{t}"),
            factor("y", f"c{t}"),
        )
        for t in range(2 * p)
    ]
    network = Network(tuple(f for link in chain for f in link))
    right = odd(p) * rising(n, p) * rising(d, p) * rising(k, p)
    laws: dict[str, Law] = {name: Normal() for name in ("x", "y", "Q", "R")}
    return Task(f"E[(x'QK'y)^{2 * p}]", seconds, (network,), laws, lambda answer: answer == right)


def logits(p: int, seconds: float) -> Task:
    """E norm((XQK'X')**p)^2, entrywise power: n(n-1) entries off the diagonal, n on it"""
    chain = [
        (
            factor("X", "i", f"a{t}"),
            factor("Q", f"a{t}", f"b{t}"),
            factor("K", f"c{t}", f"b{t}"),
            factor("X", "j", f"c{t}"),
        )
        for t in range(2 * p)
    ]
    network = Network(tuple(f for link in chain for f in link))
    right = odd(p) * rising(k, p) * (n * (n - 1) * rising(d, p) ** 2 + n * rising(d, 2 * p))
    laws: dict[str, Law] = {name: Normal() for name in ("X", "Q", "K")}
    name = f"E norm((XQK'X')**{p})^2"
    return Task(name, seconds, (network,), laws, lambda answer: answer == right)


TASKS = [
    *(gram(p, 0.1) for p in (1, 2, 3, 4, 12)),
    gram(20, 1),
    gram(30, 5),
    correlated(),
    correlated(shared=None),
    *(bilinear(p, 0.3) for p in (1, 2, 4)),
    bilinear(6, 2),
    *(logits(p, 2) for p in (1, 2, 3)),
]


# What tensorgrad answers, and how patient one must be.
QUICK = ("E tr((X'X)^1)", "E tr((X'X)^2)")
MINUTES = ("E tr((X'X)^3)", "E[norm(X)^2 norm(X'LX)^2], rho = 0")


def ours(task: Task) -> Coefficient:
    value = expectation(Sum.of(FRAME, *task.networks), task.laws).value
    (coefficient,) = value.terms.values()
    return coefficient


# ---- plain enumeration ------------------------------------------------------------------------


MOST_PAIRINGS = 60_000  # a second or so


def pairings(items: list[Factor]) -> Iterator[list[tuple[Factor, Factor]]]:
    if not items:
        yield []
        return
    first, *rest = items
    for i, other in enumerate(rest):
        for pairs in pairings(rest[:i] + rest[i + 1 :]):
            yield [(first, other), *pairs]


def all_pairings(groups: list[list[Factor]]) -> Iterator[list[tuple[Factor, Factor]]]:
    if not groups:
        yield []
        return
    for pairs in pairings(groups[0]):
        for more in all_pairings(groups[1:]):
            yield pairs + more


def count_pairings(task: Task) -> int:
    counts = [sum(f.tensor == name for f in task.networks[0].factors) for name in task.laws]
    return len(task.networks) * prod(odd(count // 2) for count in counts)


def loops(indices: set[Index], merged: list[tuple[Index, Index]]) -> Coefficient:
    """The product of the sizes of the classes of equal indices."""
    parent = {index: index for index in indices}

    def root(index: Index) -> Index:
        while parent[index] != index:
            index = parent[index]
        return index

    for a, b in merged:
        parent[root(a)] = root(b)
    return prod((FRAME.sizes[i.space] for i in indices if parent[i] == i), start=RING(1))


def enumerated(task: Task) -> Coefficient:
    """Every pairing on its own: each pair merges its indices, each class of indices is a sum."""
    total = RING(0)
    for network in task.networks:
        indices = {i for f in network.factors for i in f.indices}
        groups = [[f for f in network.factors if f.tensor == name] for name in task.laws]
        for pairs in all_pairings(groups):
            terms: list[tuple[Coefficient, list[tuple[Index, Index]]]] = [(RING(network.coefficient), [])]
            for a, b in pairs:
                law = task.laws[a.tensor]
                assert isinstance(law, Normal)
                both = list(zip(a.indices, b.indices, strict=True))
                variance, shared = RING(law.std) ** 2, RING(law.row_corr or 0)
                terms = [(c * variance * (1 - shared), m + both) for c, m in terms] + [
                    (c * variance * shared, m + both[1:]) for c, m in terms if law.row_corr
                ]
            for c, merged in terms:
                total = total + c * loops(indices, merged)
    return RING(total)


# ---- tensorgrad -------------------------------------------------------------------------------


def tensorgrad(task: Task, expand: bool) -> Callable[[], Coefficient] | None:
    """The moment of one standard normal X by tensorgrad, if it is installed.

    Its default simplifies before it expands; to expand at once is the fastest way that we found.
    """
    try:
        from sympy import symbols
        from tensorgrad import Delta, Variable
        from tensorgrad.extras.expectation import Expectation
        from tensorgrad.tensor import Product
    except ImportError:
        return None
    size = dict(zip("nd", symbols("n d"), strict=True))
    X = Variable("X", **size)

    def moment(network: Network) -> Coefficient:
        spelled = [tuple(i.label for i in f.indices) for f in network.factors]
        counts = Counter((space, label) for pair in spelled for space, label in zip("nd", pair, strict=True))
        free = [Delta(size[space], label) for (space, label), count in counts.items() if count == 1]
        value = Expectation(Product([X.rename(n=i, d=j) for i, j in spelled] + free), X)
        if not expand:
            return RING(network.coefficient) * from_tensorgrad(value.full_simplify())
        while (new := value.simplify({"expand": True})) != value:
            value = new
        return RING(network.coefficient) * from_tensorgrad(value)

    return lambda: RING(RING.sum(moment(network) for network in task.networks))


def from_tensorgrad(tensor: Any) -> Coefficient:
    """Sums, products and powers of deltas, which are their sizes."""
    match type(tensor).__name__:
        case "Sum":
            parts = zip(tensor.weights, tensor.terms, strict=True)
            return RING.sum(RING(int(w)) * from_tensorgrad(t) for w, t in parts)
        case "Product":
            return prod((from_tensorgrad(t) for t in tensor.factors), start=RING(1))
        case "Delta":
            return RING[str(tensor.size)]
        case "Function":
            return from_tensorgrad(tensor.inputs[0]) ** int(tensor.signature.k)
        case other:
            raise ValueError(f"an answer of tensorgrad holds a {other}")


# ---- the run ----------------------------------------------------------------------------------


def timed(run: Callable[[], Coefficient]) -> tuple[float, Coefficient]:
    """The best of fifty runs, or of as many as half a second allows: the first one warms up."""
    start = process_time()
    answer = run()
    best = total = process_time() - start
    for _ in range(49):
        if total > 0.5:
            break
        start = process_time()
        run()
        best = min(best, process_time() - start)
        total += process_time() - start
    return best, answer


def against(run: Callable[[], Coefficient] | None, mine: float, answer: Coefficient) -> str:
    if run is None:
        return "-"
    seconds, other = timed(run)
    if other != answer:
        return "DIFFERS"
    return f"{seconds:.4f} s (x{seconds / mine:.0f})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--slow", action="store_true", help="let tensorgrad work for minutes")
    slow = parser.parse_args().slow
    failed = False
    print(
        f"{'task':36}{'seconds':>9}{'limit':>7}  {'checked':9}{'enumeration':24}"
        f"{'tensorgrad':24}expanding at once"
    )
    for task in TASKS:
        seconds, answer = timed(lambda task=task: ours(task))  # type: ignore[misc]
        checked = task.check(answer)
        plain = (lambda task=task: enumerated(task)) if count_pairings(task) <= MOST_PAIRINGS else None
        others: list[Callable[[], Coefficient] | None] = [plain, None, None]
        if task.name in (QUICK + MINUTES if slow else QUICK):
            others[1:] = tensorgrad(task, expand=False), tensorgrad(task, expand=True)
        columns = [against(other, seconds, answer) for other in others]
        failed |= not checked or seconds > task.seconds or "DIFFERS" in columns
        print(
            f"{task.name:36}{seconds:9.4f}{task.seconds:7.1f}  {'yes' if checked else 'WRONG':9}"
            f"{columns[0]:24}{columns[1]:24}{columns[2]}",
            flush=True,
        )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
