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
from functools import partial
from math import prod
from time import process_time
from typing import Any

from verifier.prove.networks import (
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

AXES = {"X": "nd", "Q": "dk", "K": "dk", "R": "nk", "x": "d", "y": "n"}


def frame(*scalars: str) -> Frame:
    """The ring of these scalars, inv_n being 1/n, and the tensors whose sizes are among them: each
    task has the scalars that a claim about it has, and no others."""
    ring = Ring(scalars)
    if "inv_n" in scalars:
        ring = ring.modulo(ring["n"] * ring["inv_n"] - 1)
    sizes = {size: ring[size] for size in "ndk" if size in scalars}
    tensors = [Tensor(name, tuple(axes)) for name, axes in AXES.items() if set(axes) <= set(sizes)]
    return Frame.of(ring, sizes, tensors)


@dataclass(frozen=True)
class Task:
    """`networks` are the terms of the claim's left side; `check` is what is known of the answer."""

    name: str
    seconds: float  # the time it must stay within
    frame: Frame
    networks: tuple[Network, ...]
    laws: dict[str, Law]
    check: Callable[[Coefficient], bool]


# ---- the tasks ------------------------------------------------------------------------------


def factor(tensor: str, *labels: str) -> Factor:
    return Factor(tensor, tuple(Index(x, s) for x, s in zip(labels, AXES[tensor], strict=True)))


def rising(size: Coefficient, p: int) -> Coefficient:
    """E norm(g)**(2p) for a standard normal g of that size: s (s + 2) ... (s + 2p - 2)"""
    return prod((size + 2 * i for i in range(p)), start=size**0)


def odd(p: int) -> int:
    """(2p - 1)!!"""
    return prod(range(1, 2 * p, 2))


def gram(p: int, seconds: float) -> Task:
    """E tr((X'X)^p): at n = 1 the moment of a chi-square, symmetric in n and d."""
    letters = [(f"a{i}", f"b{j}") for i in range(p) for j in (i, (i + 1) % p)]
    own = frame("n", "d")
    n, d = own.sizes["n"], own.sizes["d"]

    def check(answer: Coefficient) -> bool:
        return answer.compose(own.one, d) == rising(d, p) and answer.compose(d, n) == answer

    network = Network(tuple(factor("X", *pair) for pair in letters))
    return Task(f"E tr((X'X)^{p})", seconds, own, (network,), {"X": Normal()}, check)


def correlated(shared: bool = True) -> Task:
    """E[norm(X)^2 norm(X'LX)^2], L = 1 - ones/n, rows of correlation rho. L removes what rows share,
    so that X'LX is that of n - 1 independent rows with variance s = sigma^2 (1 - rho), independent
    of the mean row."""
    own = frame("n", "d", "inv_n", *(("sigma", "rho") if shared else ()))
    n, d, inv_n = (own.ring[name] for name in ("n", "d", "inv_n"))
    sigma, rho = (own.ring["sigma"], own.ring["rho"]) if shared else (own.one, own.ring(0))
    square = (factor("X", "p", "q"), factor("X", "p", "q"))
    ends: list[tuple[Coefficient | int, str]] = [(1, "aaee"), (-2 * inv_n, "aaef"), (inv_n**2, "agef")]
    networks = tuple(
        Network((*square, *(factor("X", r, c) for r, c in zip(rows, "bcbc", strict=True))), weight)
        for weight, rows in ends
    )

    def check(answer: Coefficient) -> bool:
        s = sigma**2 * (1 - rho)
        m = n - 1
        centred = s**2 * m * d * (m + d + 1)
        mean_row = d * sigma**2 * (1 + m * rho)
        return answer == own.ring(centred * (s * (m * d + 4) + mean_row))

    law = Normal(std=sigma, row_corr=rho) if shared else Normal()
    name = "E[norm(X)^2 norm(X'LX)^2]" + ("" if shared else ", rho = 0")
    return Task(name, 0.1, own, networks, {"X": law}, check)


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
    own = frame("n", "d", "k")
    right = odd(p) * prod(rising(size, p) for size in (own.ring["n"], own.ring["d"], own.ring["k"]))
    laws: dict[str, Law] = {name: Normal() for name in ("x", "y", "Q", "R")}
    return Task(f"E[(x'QK'y)^{2 * p}]", seconds, own, (network,), laws, lambda answer: answer == right)


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
    own = frame("n", "d", "k")
    n, d, k = (own.ring[name] for name in own.ring.names)
    right = odd(p) * rising(k, p) * (n * (n - 1) * rising(d, p) ** 2 + n * rising(d, 2 * p))
    laws: dict[str, Law] = {name: Normal() for name in ("X", "Q", "K")}
    name = f"E norm((XQK'X')**{p})^2"
    return Task(name, seconds, own, (network,), laws, lambda answer: answer == right)


TASKS = [
    *(gram(p, 0.1) for p in (1, 2, 3, 4, 12)),
    gram(20, 1),
    gram(30, 5),
    correlated(),
    correlated(shared=False),
    *(bilinear(p, 0.3) for p in (1, 2, 4)),
    bilinear(6, 2),
    *(logits(p, 2) for p in (1, 2, 3)),
]


# What tensorgrad answers, and how patient one must be.
QUICK = ("E tr((X'X)^1)", "E tr((X'X)^2)", "E[(x'QK'y)^2]", "E norm((XQK'X')**1)^2")
MINUTES = ("E tr((X'X)^3)", "E[norm(X)^2 norm(X'LX)^2], rho = 0")


def ours(task: Task) -> Coefficient:
    """From the networks as written to the closed form; nothing is kept from one run to the next."""
    value = expectation(Sum.of(task.frame, *task.networks), task.laws).value
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


def loops(frame: Frame, indices: set[Index], merged: list[tuple[Index, Index]]) -> Coefficient:
    """The product of the sizes of the classes of equal indices."""
    parent = {index: index for index in indices}

    def root(index: Index) -> Index:
        while parent[index] != index:
            index = parent[index]
        return index

    for a, b in merged:
        parent[root(a)] = root(b)
    return prod((frame.sizes[i.space] for i in indices if parent[i] == i), start=frame.one)


def enumerated(task: Task) -> Coefficient:
    """Every pairing on its own: each pair merges its indices, each class of indices is a sum."""
    ring = task.frame.ring
    total = ring(0)
    for network in task.networks:
        indices = {i for f in network.factors for i in f.indices}
        groups = [[f for f in network.factors if f.tensor == name] for name in task.laws]
        for pairs in all_pairings(groups):
            terms: list[tuple[Coefficient, list[tuple[Index, Index]]]] = [(ring(network.coefficient), [])]
            for a, b in pairs:
                law = task.laws[a.tensor]
                assert isinstance(law, Normal)
                both = list(zip(a.indices, b.indices, strict=True))
                variance, shared = ring(law.std) ** 2, ring(law.row_corr or 0)
                terms = [(c * variance * (1 - shared), m + both) for c, m in terms] + [
                    (c * variance * shared, m + both[1:]) for c, m in terms if law.row_corr
                ]
            for c, merged in terms:
                total = total + c * loops(task.frame, indices, merged)
    return ring(total)


# ---- tensorgrad -------------------------------------------------------------------------------


def tensorgrad(task: Task, expand: bool) -> Callable[[], Coefficient] | None:
    """The moment of standard normals by tensorgrad, if it is installed.

    Its default simplifies before it expands; to expand at once is the fastest way that we found.
    """
    try:
        from sympy import symbols
        from tensorgrad import Delta, Variable
        from tensorgrad.extras.expectation import Expectation
        from tensorgrad.tensor import Product
    except ImportError:
        return None
    size = dict(zip("ndk", symbols("n d k"), strict=True))
    variables = {name: Variable(name, **{axis: size[axis] for axis in AXES[name]}) for name in task.laws}
    ring = task.frame.ring

    def moment(network: Network) -> Coefficient:
        """An edge joins two factors; where one or several are, a delta of its own joins them."""
        counts = Counter(i for f in network.factors for i in f.indices)
        joined: dict[Index, list[str]] = {i: [] for i, count in counts.items() if count != 2}
        factors = []
        for f in network.factors:
            names = {i.space: i.label for i in f.indices}
            for i in f.indices:
                if i in joined:
                    names[i.space] = f"{i.label}_{len(joined[i])}"
                    joined[i].append(names[i.space])
            factors.append(variables[f.tensor].rename(**names))
        value = Product(factors + [Delta(size[i.space], *edges) for i, edges in joined.items()])
        for variable in variables.values():
            value = Expectation(value, variable)
        if not expand:
            return ring(network.coefficient) * from_tensorgrad(ring, value.full_simplify())
        while (new := value.simplify({"expand": True})) != value:
            value = new
        return ring(network.coefficient) * from_tensorgrad(ring, value)

    return lambda: ring(ring.sum(moment(network) for network in task.networks))


def from_tensorgrad(ring: Ring, tensor: Any) -> Coefficient:
    """Sums, products and powers of deltas, which are their sizes."""
    match type(tensor).__name__:
        case "Sum":
            parts = zip(tensor.weights, tensor.terms, strict=True)
            return ring.sum(ring(int(w)) * from_tensorgrad(ring, t) for w, t in parts)
        case "Product":
            return prod((from_tensorgrad(ring, t) for t in tensor.factors), start=ring.one)
        case "Delta":
            return ring[str(tensor.size)]
        case "Function":
            return from_tensorgrad(ring, tensor.inputs[0]) ** int(tensor.signature.k)
        case other:
            raise ValueError(f"an answer of tensorgrad holds a {other}")


# ---- the run ----------------------------------------------------------------------------------


Run = Callable[[], Coefficient]


def timed(run: Run, seconds: float = 0.5) -> tuple[float, Coefficient]:
    """The best of as many runs as the time allows, one at least."""
    best, total, answer = float("inf"), 0.0, None
    while answer is None or total < seconds:
        start = process_time()
        answer = run()
        took = process_time() - start
        best, total = min(best, took), total + took
    return best, answer


def against(rival: Run | None, mine: Run, answer: Coefficient) -> str:
    """The rival's best and ours, taken in turns, so that a busy machine slows both alike."""
    if rival is None:
        return "-"
    best, own, total = float("inf"), float("inf"), 0.0
    while total < 0.5:
        took, other = timed(rival, 0)
        if other != answer:
            return "DIFFERS"
        best, own, total = min(best, took), min(own, timed(mine, min(took, 0.1))[0]), total + took
    return f"{best:.4f} s (x{best / own:.{0 if best > own else 1}f})"


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
        mine = partial(ours, task)
        seconds, answer = timed(mine)
        checked = task.check(answer)
        plain = partial(enumerated, task) if count_pairings(task) <= MOST_PAIRINGS else None
        others: list[Run | None] = [plain, None, None]
        if task.name in (QUICK + MINUTES if slow else QUICK):
            others[1:] = tensorgrad(task, expand=False), tensorgrad(task, expand=True)
        columns = [against(other, mine, answer) for other in others]
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
