"""The independent witness: both sides of a relation estimated from their definitions.

    compile/      what a node is worth in one draw, in torch; D by autograd, or in closed form along one path
    draws/        where to look, and draws of the random symbols: the same digits always
    tails/        what is proven of the tails of a quantity, by its degree, its range or its slope;
                  what no draw shows
    expectation_leaves.py, sampler.py, draw_chunks.py
                  one expectation: chunks of draws, probes for Jacobian norms
    estimate.py, sides_at_point.py    confidence intervals, and what stands around them
    pointwise.py, expected.py         a relation without, and with, expectations
    sampled_orders.py, slopes.py      orders of magnitude and growth
    engine.py                         examine(): one relation, one Finding

Nothing here knows who proves: agreement between the two is evidence because of that.
"""
