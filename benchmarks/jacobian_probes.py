"""Time to a 1% standard error of E|dS/dW_Q|^2 for true-softmax attention, from a spec.

    python benchmarks/jacobian_probes.py [--seconds 3] [--large]

Beside it, in the same run and with the same random numbers:
(a) a Python loop over torch.autograd.functional.jacobian,
(b) vmap(jacrev) at the best of several batch sizes,
(c) the formula for this layer's Jacobian norm, derived by hand and batched, once as it is written and
    once rearranged into Gram matrices, which is the limit,
and the bare matrix products of one forward and one backward pass.

W_Q reaches S along one path, so its Jacobian's norm has a closed form that is read off the spec. X reaches S
along three, and there probes are compared with (b). The spec draws X W_Q, X W_K and X W_V where nothing
else of the weights is met, which takes n / d of the random numbers; (a) to (c) draw the weights.

CPU time on one thread; time to 1% is (seconds per draw) * (relative variance per draw) / 0.01^2.
--large adds a layer with n = 197, d = 768 and 12 heads, where no full Jacobian fits in memory.
"""

import argparse
import gc
import resource
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import process_time

import numpy as np
import torch
from torch import Tensor

from verifier.claim.model import Claim
from verifier.read.specs.load import load_text
from verifier.sample.draws.scene import Point, prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.expectation_leaves import leaves_of
from verifier.sample.sampler import Sampler

SIZES = ((8, 16), (16, 32), (32, 64))
SPEC = """
schema: 1
theorem: benchmark/attention
title: One attention layer
symbols:
  n: dimension
  d: dimension
  X: matrix(n, d)
  W_Q: normal(d, d, std=1/sqrt(d))
  W_K: normal(d, d, std=1/sqrt(d))
  W_V: normal(d, d, std=1/sqrt(d))
let:
  M: (X @ W_Q) @ (X @ W_K).T / sqrt(d)
  S: softmax(M) @ (X @ W_V)
claims:
  queries:
    says: E(norm(D(S, W_Q))**2) == 0
  tokens:
    says: E(norm(D(S, X))**2) == 0
"""
LARGE_SPEC = """
schema: 1
theorem: benchmark/heads
title: Twelve heads
symbols:
  n: dimension
  d: dimension
  k: dimension
  H: dimension
  X: matrix(n, d)
  W_Q: normal(d, k, std=1/sqrt(d), copies=H)
  W_K: normal(d, k, std=1/sqrt(d), copies=H)
  W_V: normal(d, k, std=1/sqrt(d), copies=H)
  W_O: normal(k, d, std=1/sqrt(d), copies=H)
let:
  S: sum(softmax((X @ W_Q[h]) @ (X @ W_K[h]).T / sqrt(k)) @ (X @ W_V[h]) @ W_O[h], h, 1, H)
claims:
  queries:
    says: E(norm(D(S, W_Q[1]))**2) == 0
"""


@dataclass(frozen=True)
class Row:
    """One way to estimate the same number."""

    name: str
    seconds: float  # per draw
    mean: float
    variance: float  # of one draw, relative to the squared mean

    @property
    def to_one_percent(self) -> float:
        return self.seconds * self.variance / 0.01**2


def tokens(n: int, d: int) -> Tensor:
    return torch.from_numpy(np.random.default_rng(0).standard_normal((n, d)))


def weights(rng: np.random.Generator, count: int, d: int) -> list[Tensor]:
    return [torch.from_numpy(rng.standard_normal((count, d, d))).div_(d**0.5) for _ in range(3)]


def layer(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    return torch.softmax((x @ w_q) @ (x @ w_k).mT / x.shape[1] ** 0.5, dim=-1) @ (x @ w_v)


def by_loop(x: Tensor, count: int) -> Tensor:
    """(a): one Jacobian after the other."""
    found = []
    for w_q, w_k, w_v in zip(*weights(np.random.default_rng(1), count, x.shape[1]), strict=True):
        jacobian = torch.autograd.functional.jacobian(lambda w, k=w_k, v=w_v: layer(x, w, k, v), w_q)
        found.append(jacobian.square().sum())
    return torch.stack(found)


def by_jacrev(x: Tensor, count: int) -> Tensor:
    """(b): full Jacobians, batched."""

    def norm(w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
        return torch.func.jacrev(lambda w: layer(x, w, w_k, w_v))(w_q).square().sum()

    return torch.func.vmap(norm)(*weights(np.random.default_rng(1), count, x.shape[1]))


def by_jacrev_in_tokens(x: Tensor, count: int) -> Tensor:
    """(b) for the Jacobian in X."""

    def norm(w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
        return torch.func.jacrev(lambda tokens: layer(tokens, w_q, w_k, w_v))(x).square().sum()

    return torch.func.vmap(norm)(*weights(np.random.default_rng(1), count, x.shape[1]))


def by_formula(x: Tensor, count: int) -> Tensor:
    """(c): |J|^2 = 1/d sum_i |x_i|^2 |C_i|^2, C_i the covariance of values and keys under row i's weights."""
    w_q, w_k, w_v = weights(np.random.default_rng(1), count, x.shape[1])
    keys, values = x @ w_k, x @ w_v
    a = torch.softmax((x @ w_q) @ keys.mT / x.shape[1] ** 0.5, dim=-1)
    centred = values[:, None] - (a @ values)[:, :, None]
    covariance = (centred * a[..., None]).mT @ keys[:, None]
    return (covariance.square().sum(dim=(2, 3)) * x.square().sum(dim=-1)).sum(dim=-1) / x.shape[1]


def by_grams(x: Tensor, count: int) -> Tensor:
    """(c) without forming C_i:

    |C_i|^2 = a'(G_v * G_k) a - 2 sum_j a_j (v_j.v)(k_j.k) + |v|^2 |k|^2 with v, k the weighted means.
    """
    w_q, w_k, w_v = weights(np.random.default_rng(1), count, x.shape[1])
    keys, values = x @ w_k, x @ w_v
    a = torch.softmax((x @ w_q) @ keys.mT / x.shape[1] ** 0.5, dim=-1)
    mean_v, mean_k = a @ values, a @ keys
    square = ((a @ ((values @ values.mT) * (keys @ keys.mT))) * a).sum(dim=-1)
    cross = ((mean_v @ values.mT) * (mean_k @ keys.mT) * a).sum(dim=-1)
    centred = square - 2 * cross + mean_v.square().sum(dim=-1) * mean_k.square().sum(dim=-1)
    return (centred * x.square().sum(dim=-1)).sum(dim=-1) / x.shape[1]


def bare_products(x: Tensor, count: int) -> Callable[[], None]:
    """The matrix products of one forward and one backward pass, nothing else."""
    w_q, w_k, w_v = weights(np.random.default_rng(1), count, x.shape[1])
    probe = torch.ones(count, *x.shape, dtype=torch.float64)

    def run() -> None:
        queries, keys, values = x @ w_q, x @ w_k, x @ w_v
        scores = queries @ keys.mT
        _ = scores @ values
        back = (probe @ values.mT) @ keys
        _ = x.mT @ back

    return run


def timed(work: Callable[[], Tensor], seconds: float) -> tuple[float, Tensor]:
    """CPU time per draw, at its best of several passes, and the last pass's draws."""
    values = work()
    best, start = float("inf"), process_time()
    while process_time() - start < seconds:
        before = process_time()
        values = work()
        best = min(best, (process_time() - before) / values.numel())
    return best, values


def row(
    name: str, method: Callable[[Tensor, int], Tensor], x: Tensor, batches: tuple[int, ...], seconds: float
) -> Row:
    found = [timed(lambda size=size: method(x, size), seconds / len(batches)) for size in batches]
    best, values = min(found, key=lambda item: item[0])
    spread = method(x, 256) if name.startswith("(c)") else values
    variance = float(spread.var(correction=0) / spread.mean() ** 2)
    return Row(name, best, float(values.mean()), variance)


def claim_at(spec: str, name: str) -> Claim:
    return next(claim for claim in load_text(spec, "benchmark.yaml").claims if claim.id.endswith(name))


def sampler_at(spec: str, x: Tensor, sizes: dict[str, int], name: str = "queries") -> Sampler:
    claim = claim_at(spec, name)
    fact = claim.steps[0].fact
    scene = prepare(claim, Point(sizes, {"X": x}, "benchmark"), fact)
    (leaf,) = leaves_of(fact, scene.world).values()
    return Sampler(leaf, scene, Stream(0, claim.id, "benchmark"), 24, 3 * 2**30)


def from_spec(sampler: Sampler, seconds: float) -> Row:
    """Ours: the spread of one draw is read off the means of blocks of independent draws."""
    step = sampler.chunk * sampler.unit
    sampler.advance(step, float("inf"))
    best, start = float("inf"), process_time()
    while process_time() - start < seconds or sampler.next_unit < 48:
        before = process_time()
        sampler.advance(sampler.draws + step, float("inf"))
        best = min(best, (process_time() - before) / step)
    sampler.ladders[0].close()
    means = sampler.ladders[0].means
    per_draw = float(means.var() / means.mean() ** 2) * sampler.draws / means.shape[0]
    name = f"from a spec ({f'{sampler.probes} probes' if sampler.probed else 'closed form along the path'})"
    return Row(name, best, float(means.mean()), per_draw)


def compare(n: int, d: int, seconds: float) -> None:
    x = tokens(n, d)
    rows = [
        row("(a) loop over autograd.functional.jacobian", by_loop, x, (8,), seconds),
        row("(b) vmap(jacrev), best batch", by_jacrev, x, _batches(n, d), seconds),
        row("(c) formula by hand, as written", by_formula, x, (8, 32, 128), seconds),
        row("(c) formula by hand, Gram matrices", by_grams, x, (64, 256, 1024), seconds),
        from_spec(sampler := sampler_at(SPEC, x, {"n": n, "d": d}), seconds),
    ]
    exact = rows[3]  # every method estimates the same number; the cheapest knows its spread best
    rows = [Row(r.name, r.seconds, r.mean, r.variance if r is rows[-1] else exact.variance) for r in rows]
    ours = rows[-1]
    print(f"\nn = {n}, d = {d}")
    print(f"{'':46}{'us/draw':>10}{'rel. var':>10}{'s to 1%':>10}{'ours faster':>13}")
    for item in rows:
        ratio = item.to_one_percent / ours.to_one_percent
        numbers = f"{1e6 * item.seconds:10.1f}{item.variance:10.3f}{item.to_one_percent:10.3f}{ratio:12.2f}x"
        print(f"{item.name:46}{numbers}")
    run = bare_products(x, 128)
    run()
    bare = min(_seconds(run) for _ in range(10)) / 128
    drawing = min(_seconds(lambda: sampler._draw(0, 1)) for _ in range(10)) / sampler.unit
    print(
        f"bare products {1e6 * bare:.1f} us; {1 / ours.seconds:,.0f} draws per second from the spec, each"
        f" {ours.seconds / bare:.1f} times that, {drawing / bare:.1f} of it random numbers"
    )
    assert abs(ours.mean / exact.mean - 1) < 0.1
    in_tokens(x, seconds)


def in_tokens(x: Tensor, seconds: float) -> None:
    """E|dS/dX|^2: three paths, so probes. The spread of (b), too slow for many draws, is that of 24."""
    n, d = x.shape
    full = row("(b)", by_jacrev_in_tokens, x, _batches(n, d), seconds)
    drawn = zip(*weights(np.random.default_rng(2), 24, d), strict=True)
    few = torch.stack([torch.func.jacrev(partial(in_order, w))(x).square().sum() for w in drawn])
    spread = float(few.var() / few.mean() ** 2)
    ours = from_spec(sampler_at(SPEC, x, {"n": n, "d": d}, "tokens"), seconds)
    print(f"in X: vmap(jacrev) {full.seconds * spread / 0.01**2:.3f} s to 1%, ", end="")
    print(f"{ours.name} {ours.to_one_percent:.3f} s")
    assert abs(ours.mean / float(few.mean()) - 1) < 5 * (spread / 24) ** 0.5


def in_order(drawn: tuple[Tensor, Tensor, Tensor], x: Tensor) -> Tensor:
    return layer(x, *drawn)


def _batches(n: int, d: int) -> tuple[int, ...]:
    """Batches whose Jacobians fit in a gigabyte."""
    most = 2**30 // (8 * n * d * d * d * 2)
    return tuple(size for size in (1, 2, 8, 32, 128) if size <= max(most, 1))


def _seconds(work: Callable[[], None]) -> float:
    start = process_time()
    work()
    return process_time() - start


def large(seconds: float) -> None:
    """n = 197, d = 768, 12 heads of 64: a full Jacobian would have 151,296 by 49,152 entries."""
    sizes = {"n": 197, "d": 768, "k": 64, "H": 12}
    item = from_spec(sampler_at(LARGE_SPEC, tokens(197, 768), sizes), seconds)
    print(f"\nn = 197, d = 768, 12 heads: {item.name}")
    print(f"{1e3 * item.seconds:.0f} ms/draw, relative variance {item.variance:.4f}")
    print(f"{item.to_one_percent:.2f} s to 1%")
    print(f"a full Jacobian would take {151_296 * 49_152 * 8 / 2**30:.0f} GB per draw")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="per method and size")
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for n, d in SIZES:
        compare(n, d, options.seconds)
        gc.collect()
    if options.large:
        large(options.seconds)
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB")


if __name__ == "__main__":
    main()
