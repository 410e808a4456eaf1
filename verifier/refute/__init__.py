"""Worst cases: maximise the violation of a bound, then shrink it to something checked by hand.

    domain/       what a claim lets vary, as free numbers: classes of matrices, assumptions that hold by
                  construction, structured starts, growing sizes
    ascent/       thousands of tiny points at once, batched quasi-Newton ascent, its last steps where
                  assumptions bind; a worst point as small rationals, checked without floating point
    existence/    sup(f) >= c: a point, a pattern of any size or a ray that shows it
    closeness/    how loose a bound or a range is, and the best constant in closed form
    confirm.py, smaller_point.py    any counterexample, whoever found it: checked exactly, made smaller
    time_shares.py, conclusions.py  shares of the time; what a search that found nothing may say
    engine.py     examine(): one relation, one Finding

Nothing here believes a float: `false` rests on exact or interval arithmetic at one point, and
`true` on a search is called `searched`.
"""
