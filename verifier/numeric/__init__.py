"""The independent witness: both sides of a relation estimated from their definitions.

    tree -> compile.py (torch)      what a node is worth, batched over draws; D by autograd
    laws.py, streams.py             draws of the random symbols, the same digits always
    points.py, constraints.py       where to look: dimensions, scalars, structured matrices
    leaves.py, estimate.py          each expectation with a confidence interval, and what it rests on
    pointwise.py, expected.py       a relation without, and with, expectations
    engine.py                       examine(): one relation, one Finding

Nothing here knows the symbolic engine: agreement between the two is evidence because of that.
"""
