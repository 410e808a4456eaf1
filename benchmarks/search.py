"""Time to a violation: the search against uniform random points in the same run.

    python benchmarks/search.py [seconds]

Each bound is false by a few per cent or less, at sizes from 5 on. `search` and `random` are the times
to a first violation in floating point, on the same compiled function and at the same sizes; random
points have entries uniform on [-1, 1] (positive scalars on (0, 3], a simplex uniformly). `answer` is
the time until the search has also shrunk the violation and checked it exactly. Times are seconds of work,
so that a busy machine shows the same.
"""

import math
import sys

import numpy as np
import torch

from verifier.claim.model import Claim
from verifier.evidence import Budget
from verifier.prove.rules.bound_form import bounds_of
from verifier.read.specs.load import load_text
from verifier.refute.ascent.worst_points import Hunt, Objective
from verifier.refute.domain.domain_at_sizes import Cell
from verifier.refute.domain.matrix_families import Scalar, Simplex, Stochastic
from verifier.refute.domain.size_levels import cells_of
from verifier.refute.domain.space import Domain
from verifier.refute.engine import examine
from verifier.timer import worked

BOUNDS = [
    "abs(inner(x, y)) <= 0.99*norm(x)*norm(y)",
    "norm(A @ B) <= 0.9*norm(A)*norm(B)",
    "norm(A @ B - B @ A) <= 1.41*norm(A)*norm(B)",
    "norm(C) <= 0.99*sqrt(min(n, m))*norm(C, 2)",
    "norm(C @ F) <= norm(C, 2)*norm(F, 2)",
    "norm(D(softmax(A), A)) <= 0.49*sqrt(n)",
    "norm(softmax(A)) <= 0.98*sqrt(n)",
    "abs(12*w[1] - 4*w[2] + 3*w[3] - 84*w[4]) <= 84*norm(w)",
    "norm(x, 1) <= 0.99*sqrt(n)*norm(x)",
    "tr(G @ G) <= 0.98*tr(G)**2",
]
HEAD = """schema: 1
theorem: benchmarks/search
title: bounds that are false by little
symbols:
  n: dimension
  m: dimension
  A: matrix(n, n)
  B: matrix(n, n)
  C: matrix(n, m)
  F: matrix(m, n)
  G: psd(n)
  x: vector(n)
  y: vector(n)
  w: vector(4)
assumptions:
  not-small: n >= 5
  nor-this: m >= 5
claims:
  bound:
"""
BATCH = 512


def claim_of(says: str) -> Claim:
    (claim,) = load_text(HEAD + f'    says: "{says}"\n').claims
    return claim


def uniform(cell: Cell, rng: np.random.Generator) -> torch.Tensor:
    """Free numbers whose values are uniform on [-1, 1], or on (0, 3] for a positive scalar."""
    blocks = []
    for variable in cell.variables:
        draw = rng.uniform(-1, 1, (BATCH, variable.count))
        if isinstance(variable.family, Scalar) and variable.family.positive:
            draw = np.log(rng.uniform(1e-9, 3, (BATCH, variable.count)))
        if isinstance(variable.family, Simplex | Stochastic):
            draw = np.sqrt(rng.exponential(size=(BATCH, variable.count)))
        blocks.append(draw)
    return torch.from_numpy(np.concatenate(blocks, axis=1))


def random_search(claim: Claim, seconds: float) -> tuple[float, int]:
    """Seconds to the first violation, and points tried; infinite if there was none."""
    (bound,) = bounds_of(claim.steps[0].fact)
    rng = np.random.default_rng(0)
    objectives = [Objective(cell, bound) for cell in cells_of(Domain(claim, claim.steps[0].fact), limit=6)]
    for objective in objectives:
        objective.excess(uniform(objective.cell, rng))  # what torch loads at first use is not counted
    start, tried = worked(), 0
    while worked() - start < seconds:
        for objective in objectives:
            found = objective.excess(uniform(objective.cell, rng))
            tried += BATCH
            if float(found.max()) > 1e-9:
                return worked() - start, tried
    return math.inf, tried


def directed_search(claim: Claim, seconds: float) -> float:
    """Seconds to the first violation."""
    (bound,) = bounds_of(claim.steps[0].fact)
    start = worked()
    hunt = Hunt(Domain(claim, claim.steps[0].fact), bound, np.random.default_rng(0), worked() + seconds)
    for worst in hunt.run():
        if worst.best > 1e-9:
            return worked() - start
    return math.inf


def answer(claim: Claim, seconds: float) -> float:
    """Seconds until the violation is small and exact."""
    start = worked()
    finding = examine(claim, claim.steps[0], Budget(seconds))
    return worked() - start if finding.truth == "false" else math.inf


def main() -> None:
    torch.set_num_threads(1)
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    print(f"{'bound':58s} {'search':>9s} {'random':>9s} {'random points':>14s} {'answer':>9s}")
    for says in BOUNDS:
        claim = claim_of(says)
        random, tried = random_search(claim, seconds)
        directed, whole = directed_search(claim, seconds), answer(claim, seconds)
        times = f"{_shown(directed):>9s} {_shown(random):>9s} {tried:>14,d} {_shown(whole):>9s}"
        print(f"{says:58s} {times}", flush=True)


def _shown(seconds: float) -> str:
    return "none" if math.isinf(seconds) else f"{seconds:.3f} s"


if __name__ == "__main__":
    main()
