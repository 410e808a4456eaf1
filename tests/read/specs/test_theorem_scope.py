"""What claims of one theorem share is what each would have worked out alone."""

import textwrap

from verifier.expr import nodes as N
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken, Ready
from verifier.read.specs.make_claim import build
from verifier.read.specs.theorem_scope import Ground, extent

SPEC = """
theorem: test/ground
symbols:
  n: dimension
  m: dimension
  x: real
  A: matrix(n, m)
  B: matrix(m, n)
  X: matrix(n, m)
let:
  C: A @ B
  S: A + x * A
assumptions:
  square: m == n
  small: norm(C) <= 1
  uniform: H == zeros(n, m)
layers:
  state: X
  depth: L
  symbols: {W: "normal(m, m)"}
  let: {H: X @ W}
  next: X + H
claims:
  plain: {says: norm(C) >= 0, under: []}
  square: {says: norm(A + B) >= 0, under: [square]}
  not-square: {says: norm(A + B) >= 0, under: []}
  fixed: {says: norm(A + B) >= 0, under: [], where: {n: 2, m: 2}}
  several: {says: "norm(S) + norm(C) >= k", each: {k: [1, 2]}, under: [square, small]}
  deep: {says: "norm(after(X, L)) >= 0", where: {L: 3}}
  deeper: {says: "norm(after(X, L)) >= 0", where: {L: 0}}
"""


def test_together_as_alone() -> None:
    entries = load_text(textwrap.dedent(SPEC)).entries
    assert len([entry for entry in entries if isinstance(entry, Ready)]) == 6
    for entry in entries:
        if isinstance(entry, Ready):
            assert build(entry.draft) == entry.claim == build(entry.draft, Ground())
            assert list(build(entry.draft).symbols) == list(entry.claim.symbols)


def test_a_broken_claim_does_not_spoil_the_others() -> None:
    entries = load_text(textwrap.dedent(SPEC)).entries
    broken = {entry.id: entry.problems[0].message for entry in entries if isinstance(entry, Broken)}
    assert set(broken) == {"test/ground#not-square", "test/ground#deeper"}
    assert "cannot add" in broken["test/ground#not-square"]
    assert "from 1 on" in broken["test/ground#deeper"]


def test_extents_count_shared_names_each_time() -> None:
    leaf = N.Let("a", N.Add(N.Symbol("x"), N.Symbol("y")))
    twice = N.Add(leaf, leaf)
    assert extent(twice, {}) == (9, 4)
