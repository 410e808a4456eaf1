"""Growth of E|(X Q K' X')**p|**2 in every size: CPU time per power, every answer checked.

    python benchmarks/growth.py

The entrywise and the matrix power; X is N by d, Q and K are d by k. The claimed order is the right one, and
with one factor N too many or too few the claim must not be true.
"""

from __future__ import annotations

from time import process_time

from verifier.claim.model import Claim
from verifier.evidence import Budget
from verifier.prove.engine import examine
from verifier.read.specs.load import load_text

SECONDS = 5.0
TEXT = """
schema: 1
theorem: benchmark/growth
symbols:
  N: dimension
  d: dimension
  k: dimension
  X: normal(N, d, std=1)
  Q: normal(d, k, std=1)
  K: normal(d, k, std=1)
let:
  S: X @ Q @ K.T @ X.T
claims:
  growth:
    says: "E(norm({left})**2) == Theta({right})"
    as: [N -> oo, d -> oo, k -> oo]
"""
FLAT = {p: f"N**2 * d**{2 * p} * k**{p}" for p in (1, 2, 3, 4)}
# The leading terms of the closed forms: the matrix power has more than one.
MATRIX = {
    1: "N**2 * d**2 * k",
    2: "N**4 * d**3 * k**2 + N**3 * d**4 * k**2",
    3: "N**6 * d**4 * k**3 + N**5 * d**5 * k**3 + N**4 * d**6 * k**3",
    4: "N**8 * d**5 * k**4 + N**7 * d**6 * k**4 + N**6 * d**7 * k**4 + N**5 * d**8 * k**4",
}


def claim(left: str, right: str) -> Claim:
    return load_text(TEXT.format(left=left, right=right)).claims[0]


def truth(left: str, right: str) -> str:
    made = claim(left, right)
    return examine(made, made.steps[0], Budget(seconds=60.0)).truth


def main() -> None:
    for name, orders in (("S**p", FLAT), ("matpow(S, p)", MATRIX)):
        for power, order in orders.items():
            left = name.replace("p)", f"{power})").replace("**p", f"**{power}")
            start = process_time()
            found = truth(left, order)
            spent = process_time() - start
            wrong = [truth(left, f"({order}) * N"), truth(left, f"({order}) / N")]
            fine = found == "true" and "true" not in wrong and spent < SECONDS
            print(f"{left:14} {spent:6.2f} s  {'ok' if fine else 'WRONG'}  {found}, {wrong}")


if __name__ == "__main__":
    main()
