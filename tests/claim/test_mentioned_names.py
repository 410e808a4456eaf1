"""Every name that a claim rests on, and no other."""

from verifier.claim.mentioned_names import names_in
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/names
symbols:
  n: dimension
  m: dimension
  k: dimension
  H: dimension
  s: positive
  t: positive
  r: interval(0, t)
  i: index(k)
  idle: real
  x: vector(n)
  W: normal(m, n, std=s, copies=H)
let: {y: "W[1] @ x", z: idle + 1}
assumptions: {small: r <= 1}
claims:
  c: {says: norm(y) >= 0, under: []}
  d: {says: norm(y) >= r}
  e: {says: i >= 1, under: []}
"""


def test_names() -> None:
    first, second, third = (names_in(claim) for claim in load_text(SPEC, "names.yaml").claims)
    assert first == {"y", "W", "x", "m", "n", "s", "H"}
    assert second == first | {"r", "t"}
    assert third == {"i", "k"}


def test_names_of_what_layers_draw() -> None:
    spec = """
    theorem: toy/layers
    symbols: {x: real, s: positive, idle: real}
    layers: {state: x, depth: L, symbols: {w: "normal(std=s)"}, next: x + w}
    claims: {c: {says: "E(after(x, L)) == x"}}
    """
    (claim,) = load_text(spec, "layers.yaml").claims
    assert names_in(claim) == {"x", "w", "s", "L"}
