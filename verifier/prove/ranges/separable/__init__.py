"""Inequalities between sums over many entries, for every number of entries at once.

One entry's share of a sum is a function of a few reals. What is shown of that function (a sign, convexity,
a line below it) is shown of the sum, whatever its length: `sums` reads a relation, `pointwise` and `means`
are the two ways to use what the shares have in common, `normal` keeps terms comparable.
"""

from verifier.prove.ranges.separable.separable_relation import prove_sums

__all__ = ["prove_sums"]
