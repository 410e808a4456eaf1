"""Exact answers about scalars: identities, inequalities, limits, growth, and depth-L recursions.

    refuse      what ends a reading without an answer, and the clock
    domain      where the scalar symbols range
    translate   a tree to a SymPy expression, node by node
    back        a SymPy expression to a tree of the language
    zero        proofs that an expression vanishes identically
    points      small exact points of the domain, where claims are broken and proofs are confirmed
    reading     one relation, read: both sides as SymPy expressions over one vocabulary
    equality, inequality, limits, growth, depth    one kind of question each
    engine      `examine`: which of them is asked
"""
