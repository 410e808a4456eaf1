"""Lower bounds of mean squares over many layers, on a ray of states that every layer keeps.

A layer keeps the ray {x V : x real} if it maps x V to r x V with a random r. Two theorems bound E x_L**2 from
below; both allow claims that it is small to be refuted at x_0 V.

    expanding   E(r**2 | x) >= m >= 1 for every x:  E x_L**2 >= m**L x_0**2        (residual branches)
    critical    r = w s(t) with |s| <= 1, E w**2 >= 1, s near +-1 for large x      (attention alone)
"""
