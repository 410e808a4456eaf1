"""Worst cases: maximise the violation of a bound, then shrink it to something checked by hand.

    bounds.py                  a relation as small <= large, and how far it is from equality
    extremes.py                sup and inf as quantifiers
    families.py, cells.py      free numbers in, values that satisfy the declarations out
    space.py                   the domain of a claim: what varies, at which sizes, under which assumptions
    starts.py, ascend.py       structured starts, then batched quasi-Newton ascent
    hunt.py, trend.py          growing sizes: the worst point of each, and where the trend leads
    exact.py, shrink.py        a worst point as small rationals, checked without floating point
    magnitudes.py, rules.py    inequalities of the textbooks between nonnegative scalars
    certify.py                 a proof from them, where they suffice
    recognise.py, tightness.py how loose a bound is, and the best constant in closed form
    engine.py                  examine(): one relation, one Finding

Nothing here believes a float: `false` rests on exact or interval arithmetic at one point, and
`true` on a search is called `searched`.
"""
