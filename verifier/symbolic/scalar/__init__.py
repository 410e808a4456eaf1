"""Exact answers about scalars: identities, inequalities, limits, growth, and depth-L recursions.

refuse      what ends a reading without an answer, and the clock
domain      where the scalar symbols range
functions, indices, translate    a tree to a SymPy expression, node by node
back        a SymPy expression to a tree of the language
closing     matrices and expectations inside a scalar expression in closed form
depth, powers    states after L layers: invariants, transfer matrix, its power
sums        sums over indices of quotients of expectations
facts, invariants    assumed equalities as rules; inequalities that always hold
reading     one relation, read: both sides as SymPy expressions over one vocabulary
zero        proofs that an expression vanishes identically
signs, roots, squares    proofs that an expression has one sign
quotients, limits    limits by parts, confirmed by numbers
moments, orders, ratios    expected norms through squares; bounded ratios as sizes grow
points, concrete, special    small exact points, and the special cases of limits and powers
equality, inequality, tightness, growth, uniform    one kind of question each
engine      `examine`: which of them is asked
"""
