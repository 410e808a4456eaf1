"""The independent witness: both sides of a relation estimated from their definitions.

    compile.py, jacobian.py, layers.py    what a node is worth in one draw, in torch; D by autograd
    steps.py, routes.py, chains.py        Jacobian norms in closed form, along the one path of a variable
    laws.py, streams.py, scene.py         draws of the random symbols, the same digits always
    products.py                           or of their products with what is fixed, where nothing else matters
    devices.py                            where tensors live, and how they get there
    points.py, constraints.py             where to look: sizes, scalars, structured matrices
    leaves.py, sampler.py, crew.py        one expectation: chunks of draws, probes for Jacobian norms
    degree.py, tails.py, ranges.py        what is proven of its tails,
    quotients.py, lipschitz.py            by its degree, its range or its slope
    estimate.py, intervals.py, site.py    confidence intervals, and what stands around them
    pointwise.py, expected.py             a relation without, and with, expectations
    decidable.py                          equalities in which rounding may hide something
    support.py, watch.py                  draws outside an expectation, and what they show of kinks and limits
    orders.py, slopes.py, rare.py         orders of magnitude and growth, and what no draw shows of them
    kinks.py                              where a derivative does not exist
    engine.py                             examine(): one relation, one Finding

Nothing here knows the symbolic engine: agreement between the two is evidence because of that.
"""
