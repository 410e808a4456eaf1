"""Worst cases: maximise the violation of a bound, then shrink it to something checked by hand.

    bounds.py                  a relation as small <= large, and how far it is from equality
    families.py, space.py      the domain: free numbers in, values that satisfy the declarations out
    starts.py, ascend.py       structured starts, then batched quasi-Newton ascent
    hunt.py                    growing sizes: the worst point of each, and where the trend leads
    exact.py, shrink.py        a worst point as small rationals, checked without floating point
    rules.py, certify.py       inequalities of the textbooks, for a proof where they suffice
    closed.py, tightness.py    how loose a bound is, and the best constant in closed form
    engine.py                  examine(): one relation, one Finding

Nothing here believes a float: `false` rests on exact or interval arithmetic at one point, and
`true` on a search is called `searched`.
"""
