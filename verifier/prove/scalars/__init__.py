"""Relations between scalars, by SymPy's trees and algebra of our own.

symbol_ranges                           where the scalar symbols range
tree_to_sympy, sympy_functions,         a tree to a SymPy expression, node by node, and back
  bound_indices, sympy_to_tree
closed_scalars, index_sums              matrices and expectations inside a scalar, in closed form
vanishing_means, gaussian_powers,       means that are known without a network
  gaussian_lengths, differentiable_forms
assumed_equalities, assumed_relations,  what assumed relations give; inequalities that always hold
  assumed_gaps, invariant_inequalities
scalar_relation                         one relation, read: both sides over one vocabulary
many_digits                             expressions as numbers of many digits
identically_zero, zeros, gammas         proofs that an expression vanishes identically; where it does
coefficient_signs, real_roots,          proofs that an expression has one sign
  quadratic_squares
exact_points, invariant_points          small exact points, and what invariants are worth there
special_cases, matrix_entries           values at which a claim is looked at again; entry by entry
stationary, sympy_totals                what SymPy suggests, and somebody else has to prove
equality, inequality, tightness         one kind of question each
scalar_refusal                          why a question could not be read or answered
"""
