"""Exact answers about scalars: identities, inequalities, limits, growth, and depth-L recursions.

refuse      what ends a reading without an answer, and the clock
domain      where the scalar symbols range
functions, indices, translate    a tree to a SymPy expression, node by node
back        a SymPy expression to a tree of the language
closing     matrices and expectations inside a scalar expression in closed form
depth, powers    states after L layers: invariants, transfer matrix, its power
sums        sums over indices of quotients of expectations
facts, assumed, invariants    what assumed relations give; inequalities that always hold
reading     one relation, read: both sides as SymPy expressions over one vocabulary
values      expressions as numbers of many digits
zero, vanishing    proofs that an expression vanishes identically; where it does
signs, roots, squares    proofs that an expression has one sign
scales, expansions, leading    sums of scales at infinity, and the term that wins
quotients, limits    limits by leading terms or by SymPy, confirmed by numbers
moments, equivalents    expected norms through squares; powers of polynomials in Gaussians, up to constants
orders, tropics, asymptotics, ratios    monomials that win; sizes up to constants; bounded ratios
suprema, nearby, magnitudes    growth over fixed matrices; softmax of small logits; orders of magnitude
points, concrete, approach    small exact points, and what is reached or approached from them
special, everywhere    the special cases of limits and powers; all cases together
entries, divergence    matrices entry by entry; infinite limits
equality, inequality, tightness, growth, uniform    one kind of question each
engine      `examine`: which of them is asked
"""
