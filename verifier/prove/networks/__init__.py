"""Exact expectations of tensor networks whose dimensions are symbols.

A squared norm, a trace, an inner product, an entrywise power or a sum over entries is a sum of
networks: factors `X[a, b]` joined at indices, each index summed over a space of symbolic size.

    ring  = Ring(("n", "d", "sigma"))                      # scalars: polynomials over Q
    frame = Frame.of(ring, {"n": ring["n"], "d": ring["d"]}, [Tensor("X", ("n", "d"))])
    a, b  = Index("a", "n"), Index("b", "d")
    f     = Sum.of(frame, Network((Factor("X", (a, b)), Factor("X", (a, b)))))   # norm(X)**2
    match expectation(f * f, {"X": Normal(std=ring["sigma"])}):
        case Determined(value):            print(value)    # n**2*d**2*sigma**4 + 2*n*d*sigma**4
        case Undetermined(value, missing): print(missing)  # moments not stated: ("E(X[i,j]**4)",)

Pipeline, one file each:

    ring       Ring: coefficients, polynomials over Q modulo relations such as r**2*n == 1
    tensors    Frame, Tensor, Index, Factor, Network: what the caller writes
    settle     merge indices, apply the tensors' own rules, count loops, split into components
    skeleton   a component as a small graph whose edges are words of matrices
    forms      two components get the same form iff they are isomorphic
    sums       Sum: canonical monomials of components -> coefficient; + - * ==, bind, rename
    laws       Normal, Rademacher, Uniform, Iid, Arbitrary: how one factor is contracted
    contract   joins inside and between components, each computed once
    integrate  E over one random tensor, by contracting factors until none is left
    expect     expectation(sum, laws) -> Determined | Undetermined
    derivation the contractions as data, printable
    render     components and sums in the claim language
    evaluation a sum at given sizes and entries, exactly

How things are written as networks:

    identity, delta      one index in place of two, or `equal=((a, b),)`
    equal dimensions     one space: d_k == d_v means that both matrices have axes of that space
    all ones             nothing: an index that occurs once is summed freely, and an index that
                         occurs in no factor (list it in `summed`) contributes its size
    Hadamard, diag, **p  one index shared by any number of factors
    a vector             a tensor with one index; a scalar random variable: with none
    a family W[h]        one more index of the tensor; entries are independent across it
    X[i, j], X[1, 2]     open indices: Index("i", "n", open=True), Index("1", "n", open=True);
                         delta(i, j) of two open symbols stays as a factor of the result
    sum over j != i      `distinct=((i, j),)`, expanded as sum_j minus the term with j = i

Coefficients. Every scalar symbol is a generator of the ring, also those that are no polynomial: 1/n
is a generator `inv_n` with the relation `ring["n"]*ring["inv_n"] - 1`, 1/sqrt(d_k) a generator `r`
with `r**2*d_k - 1`, and sqrt(2/pi) a generator with no relation or with one for its square:
`ring.modulo(...)` completes the relations to a Groebner basis, so that two coefficients are equal
modulo the relations iff their normal forms are. One frame serves both sides of a claim.

Outcomes are values. ValueError means that the caller wrote something that is no network: an unknown
tensor, a wrong number of indices, or an index of two different spaces.
"""

from verifier.prove.networks.canonical_forms import canonical
from verifier.prove.networks.contractions import Derivation, Outcome, Step
from verifier.prove.networks.expect import Determined, Undetermined, expectation, missing_moments
from verifier.prove.networks.network_sums import Sum
from verifier.prove.networks.network_tensors import Factor, Frame, Index, Monomial, Network, Tensor
from verifier.prove.networks.network_values import evaluate
from verifier.prove.networks.ring import Coefficient, Ring, Scalar
from verifier.prove.networks.tensor_laws import Arbitrary, Iid, Law, Normal, Rademacher, Uniform

__all__ = [
    "Arbitrary",
    "Coefficient",
    "Derivation",
    "Determined",
    "Factor",
    "Frame",
    "Iid",
    "Index",
    "Law",
    "Monomial",
    "Network",
    "Normal",
    "Outcome",
    "Rademacher",
    "Ring",
    "Scalar",
    "Step",
    "Sum",
    "Tensor",
    "Undetermined",
    "Uniform",
    "canonical",
    "evaluate",
    "expectation",
    "missing_moments",
]
