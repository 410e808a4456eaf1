"""The independent witness: both sides of a relation estimated from their definitions.

    compile.py, jacobian.py, layers.py    what a node is worth in one draw, in torch; D by autograd
    laws.py, streams.py, scene.py         draws of the random symbols, the same digits always
    points.py, constraints.py             where to look: sizes, scalars, structured matrices
    leaves.py, sampler.py, crew.py        one expectation: chunks of draws, probes for Jacobian norms
    degree.py, tails.py, ranges.py        what is proven of its tails
    estimate.py, intervals.py, site.py    confidence intervals, and what stands around them
    pointwise.py, expected.py             a relation without, and with, expectations
    engine.py                             examine(): one relation, one Finding

Nothing here knows the symbolic engine: agreement between the two is evidence because of that.
"""
