"""Polynomial inequalities by sums of squares, found in floating point and checked exactly.

    variables.py which bounds and constraints the variables take in
    rational.py  quotients of polynomials
    lift.py      a relation between functions becomes polynomials that must nowhere be negative
    eliminate_roots.py  square roots are eliminated: a + b*sqrt(f) >= 0 follows from b >= 0 and b**2 f >= a**2
    basis.py     which monomials the squares may be made of
    gram_matrices.py  all symmetric Q with p = m'Qm, one of them and the directions between them
    centre.py    the most positive definite of them, by an interior-point method
    faces.py     where p has zeros, every Q has a kernel: found, made rational and divided out
    positivity.py  p, or p times a positive multiplier, as a sum of squares with rational Q

A float only ever proposes Q. That p = m'Qm and that no pivot of Q is negative is checked in rational
arithmetic, and nothing else is believed.
"""
