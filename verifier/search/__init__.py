"""Worst cases: maximise the violation of a bound, then shrink it to something checked by hand.

    bounds.py, extremes.py     a relation as small <= large; sup and inf as quantifiers
    family.py, families.py,    free numbers in, values that satisfy the declarations out
      orthogonal.py, spheres.py
    limits.py, ties.py         assumptions on entries, rows and scalars that hold by construction
    cells.py, space.py         the domain of a claim: what varies, at which sizes, under which assumptions
    starts.py, ascend.py       structured starts, then batched quasi-Newton ascent
    tiny.py, nearest.py        thousands of tiny or sparse points at once
    levels.py, hunt.py,        growing sizes: the worst point of each, and where the trend leads
      trend.py
    exact.py, breaking.py,     a worst point as small rationals, checked without floating point
      shrink.py
    magnitudes.py, rules.py,   inequalities of the textbooks between nonnegative scalars
      lipschitz.py, means.py
    certify.py                 a proof from them, or from the shares of sums, where these suffice
    tightness.py, improve.py,  how loose a bound or a range is, and the best constant in closed form
      range_ends.py,
      numbers.py, recognise.py
    averages.py                how tight a bound on an expectation is
    scalars.py, patterns.py,   matrices of symbolic size that look alike from the second index on
      patterned.py, witnesses.py
    existence.py, rays.py      sup(f) >= c: a point, a pattern or a ray that shows it
    clock.py, conclude.py      shares of the time; what a search that found nothing may say
    engine.py                  examine(): one relation, one Finding

Nothing here believes a float: `false` rests on exact or interval arithmetic at one point, and
`true` on a search is called `searched`.
"""
