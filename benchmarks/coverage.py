"""How often the confidence sequences miss the truth, at the 1% and 5% levels.

    python benchmarks/coverage.py [--repetitions 400] [--epochs 5]

Every case is a spec with a known mean. Each repetition draws afresh and reads an interval at every
epoch, as a sequential run does; it counts as a miss if any of these intervals that claims proof
misses the mean. Beside it: how often a proof was to be had at the last epoch, how wide it was, and
how often normal intervals of the same level, read at the same epochs, would have missed.
"""

import argparse
import math
from dataclasses import dataclass
from statistics import NormalDist

import torch

from verifier.claim.model import Claim
from verifier.expr.nodes import Relation
from verifier.read.specs.load import load_text
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws.scene import Point, Scene, prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.estimate import level
from verifier.sample.expectation_leaves import leaves_of
from verifier.sample.sampler import Sampler

LEVELS = (0.05, 0.01)
CHAIN = """layers:
  state: X
  depth: L
  symbols: {U: "normal(n, n, std=1/sqrt(n))"}
  next: X @ U
"""


@dataclass(frozen=True)
class Case:
    """A spec whose left side is an expectation and whose right side is its value."""

    name: str
    symbols: str
    says: str
    sizes: dict[str, int]
    rest: str = ""
    identity: str | None = None


CASES = (
    Case("square of a Gaussian", "{w: 'normal(1, 1)'}", "E(w**2) == 1", {}),
    Case("product of two matrices", "{n: dimension, W: 'normal(n, n)', V: 'normal(n, n)'}",
         "E(norm(W @ V)**2) == n**3", {"n": 3}),
    Case("variance of a square", "{w: 'normal(1, 1)'}", "Var(w**2) == 2", {}),
    Case("norm of a Gaussian vector", "{w: 'normal(2)'}", "E(norm(w)) == sqrt(pi / 2)", {}),
    Case("product of six signs plus their sum", "{s: 'rademacher(6)'}",
         "E(prod(s[i], i, 1, 6) + sum(s[i], i, 1, 6)) == 0", {}),
    Case("rare event", "{w: 'normal(1, 1)'}", "P(w > 3) == 1 - Phi(3)", {}),
    Case("softmax entry", "{n: dimension, W: 'normal(n, n)'}", "E(softmax(3 * W)[1, 1]) == 1 / n", {"n": 4}),
    Case("relu of a Gaussian", "{w: 'normal(1, 1)'}", "E(relu(w)) == 1 / sqrt(2 * pi)", {}),
    Case("squared norm of relus", "{n: dimension, W: 'normal(n, n)'}",
         "E(norm(relu(W))**2) == n**2 / 2", {"n": 3}),
    Case("product with fixed rows, drawn as such", "{n: dimension, W: 'normal(n, n)'}",
         "E(norm(ones(2, n) @ W)**2) == 2 * n**2", {"n": 5}),
    Case("variance of a relu", "{w: 'normal(1, 1)'}", "Var(relu(w)) == 1 / 2 - 1 / (2 * pi)", {}),
    Case("exponential of a Gaussian (no bound)", "{w: 'normal(1, 1, std=2)'}", "E(exp(w)) == exp(2)", {}),
    *(
        Case(f"chain of {depth} 3-by-3 Gaussians", "{n: dimension, L: dimension, X: 'matrix(n, n)'}",
             "E(norm(after(X, L))**2) == norm(X)**2", {"n": 3, "L": depth}, CHAIN, "X")
        for depth in (2, 4, 8, 20)
    ),
)  # fmt: skip


def load(case: Case) -> tuple[Claim, Scene, float]:
    text = f"schema: 1\ntheorem: coverage/case\ntitle: t\nsymbols: {case.symbols}\n{case.rest}claims:\n  c:\n"
    loaded = load_text(f'{text}    says: "{case.says}"\n', "coverage.yaml")
    (claim,) = loaded.claims
    values = {case.identity: torch.eye(3, dtype=torch.float64)} if case.identity else {}
    scene = prepare(claim, Point(case.sizes, values, "coverage"), claim.steps[0].fact)
    fact = claim.steps[0].fact
    assert isinstance(fact, Relation)
    return claim, scene, float(evaluate(fact.right, scene.bind({})))


@dataclass
class Tally:
    """What happened over the repetitions at one level."""

    proven: int = 0
    misses: int = 0
    normal_misses: int = 0
    width: float = 0.0


def run(case: Case, repetitions: int, epochs: int) -> dict[float, Tally]:
    claim, scene, truth = load(case)
    (leaf,) = leaves_of(claim.steps[0].fact, scene.world).values()
    tallies = {alpha: Tally() for alpha in LEVELS}
    for repetition in range(repetitions):
        sampler = Sampler(leaf, scene, Stream(repetition, claim.id, case.name), 24, 2**30)
        missed, normal_missed = dict.fromkeys(LEVELS, False), dict.fromkeys(LEVELS, False)
        for epoch in range(epochs):
            sampler.advance(1024 * 2**epoch, math.inf)
            for alpha in LEVELS:
                found = sampler.read(level(alpha, epoch))
                inside = float(found.low) <= truth <= float(found.high)
                missed[alpha] |= found.rigorous and not inside
                means = sampler.ladders[0].means
                reach = NormalDist().inv_cdf(1 - alpha / 2) * float(means.std()) / math.sqrt(means.shape[0])
                normal_missed[alpha] |= abs(float(found.mean) - truth) > reach
                if epoch == epochs - 1 and found.rigorous:
                    tallies[alpha].proven += 1
                    tallies[alpha].width += float(found.high - found.low) / 2 / max(abs(truth), 1e-300)
        for alpha in LEVELS:
            tallies[alpha].misses += missed[alpha]
            tallies[alpha].normal_misses += normal_missed[alpha]
    return tallies


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--epochs", type=int, default=5)
    options = parser.parse_args()
    torch.set_num_threads(1)
    draws = 1024 * 2 ** (options.epochs - 1)
    print(f"{options.repetitions} repetitions, {options.epochs} looks, {draws} draws at the last")
    print(f"{'case':38}{'level':>7}{'misses':>9}{'proven':>9}{'width':>9}{'normal misses':>15}")
    failed = False
    for case in CASES:
        for alpha, tally in run(case, options.repetitions, options.epochs).items():
            width = f"{tally.width / tally.proven:9.2g}" if tally.proven else f"{'-':>9}"
            shares = [
                value / options.repetitions for value in (tally.misses, tally.proven, tally.normal_misses)
            ]
            print(f"{case.name:38}{alpha:7.0%}{shares[0]:9.2%}{shares[1]:9.0%}{width}{shares[2]:15.1%}")
            failed |= tally.misses > alpha * options.repetitions + 4 * math.sqrt(alpha * options.repetitions)
    print("every level is kept" if not failed else "A LEVEL IS NOT KEPT")


if __name__ == "__main__":
    main()
