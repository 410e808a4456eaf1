"""Two promises about growth and depth, measured.

A depth-L claim is derived for a symbolic L, so its cost does not depend on the depth it is asked
for; and the growth of E|(X Q K' X')**p|_F**2 in every size is found for p up to 4 within 5 s.

    python benchmarks/depth.py
"""

import time
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.evidence import Budget, Finding
from verifier.prove.scalar_engine import examine
from verifier.read.specs.load import load_text

DEPTH = """
schema: 1
theorem: benchmark/depth
title: The squared norm of a residual network
symbols:
  n: dimension
  d: dimension
  L: dimension
  s: real
  t: real
  X: matrix(n, d)
layers:
  state: X
  depth: L
  symbols:
    V: normal(d, d, std=1/sqrt(d))
    W: normal(d, d, std=1/sqrt(d))
  let:
    Z: s * (ones(n, n) / n @ X @ V) + X
  next: t * (Z @ W) + Z
claims:
  square:
    says: >-
      E(norm(after(X, {depth}))**2) == (t**2 + 1)**{depth}*norm(X)**2
      + (t**2 + 1)**{depth}*((s**2 + 1)**{depth} - 1)*norm(X.T @ ones(n))**2/n
"""

GROWTH = """
schema: 1
theorem: benchmark/growth
title: Powers of the attention logits
symbols:
  N: dimension
  D_x: dimension
  d: dimension
  X: normal(N, D_x, std=1)
  Q: normal(D_x, d, std=1)
  K: normal(D_x, d, std=1)
claims:
  square:
    says: E(norm((X @ Q @ K.T @ X.T)**{power})**2) == Theta(N**2*D_x**{twice}*d**{power})
    as: [N -> oo, D_x -> oo, d -> oo]
"""


def only(text: str) -> Claim:
    (claim,) = load_text(text).claims
    return claim


def timed(claim: Claim) -> tuple[Finding, float]:
    start = time.perf_counter()
    found = examine(claim, claim.steps[0], Budget(60.0))
    return found, time.perf_counter() - start


def main() -> None:
    timed(only(DEPTH.format(depth="L")))  # warm up: imports and caches
    print("depth  seconds  truth")
    for depth in ("L", "1", "8", "64"):
        found, seconds = timed(only(DEPTH.format(depth=depth)))
        print(f"{depth:>5}  {seconds:7.2f}  {found.truth} ({found.grade})")
    print("power  seconds  truth")
    total = Fraction(0)
    for power in (1, 2, 3, 4):
        found, seconds = timed(only(GROWTH.format(power=power, twice=2 * power)))
        total += Fraction(seconds)
        print(f"{power:>5}  {seconds:7.2f}  {found.truth} ({found.grade})")
    print(f"all powers: {float(total):.2f} s")


if __name__ == "__main__":
    main()
