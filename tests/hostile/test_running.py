"""Claims that read well and cost without end: each ends in its time, without a wrong word."""

import time

from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text
from verifier.run.verify import verify

SPEC = """
theorem: hostile/running
symbols: {n: dimension, m: dimension, k: integer, x: real, A: "matrix(n, n)", W: "normal(n, m)"}
claims:
  true-long-sum: {says: "sum(1, i, 1, 10**9) == 10**9"}
  false-long-sum: {says: "sum(1, i, 1, 10**9) == 10**9 + 1"}
  true-long-sum-of-cosines: {says: "sum(cos(i*j), i, 1, 10**6, j, 1, 10**6) <= 10**12"}
  true-long-product: {says: "prod(1 + 1/i, i, 1, 10**9) == 10**9 + 1"}
  true-size: {says: "E(norm(W)**2) == n*m", where: {n: 1000000000, m: 1000000000}}
  false-size: {says: "E(norm(W)**2) == n*m + 1", where: {n: 1000000000, m: 1000000000}}
  true-large-matrix: {says: "norm(D(softmax(A), A))**2 <= n**2", where: {n: 5000}}
  true-power: {says: "E(norm(W)**64) >= 0"}
  true-tower: {says: "exp(exp(exp(exp(x)))) >= 1", where: {x: 100}}
  true-integers: {says: "2**k >= 0"}
"""


def test_what_costs_without_end_ends_in_its_time() -> None:
    seconds, jobs = 2.0, 2
    started = time.monotonic()
    verdicts = verify(load_text(SPEC), Settings(jobs=jobs, seconds=seconds, trust="engines")).verdicts
    # Processes that were killed are replaced, and a busy machine is slow.
    assert time.monotonic() - started < 20 * seconds * len(verdicts) / jobs
    for item in verdicts:
        wrong = ("fails", "error") if "#true-" in item.id else ("holds", "loose", "error")
        assert item.verdict not in wrong, item
        # 0 is approached as k falls: it cannot be called loose.
        assert not (item.id.endswith("integers") and item.verdict == "loose")
