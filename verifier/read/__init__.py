r"""Papers as their authors wrote them, read into passages of prose and formulas.

    .tex, .md, .ipynb → macros expanded, each character with its origin → passages → formulas

Nothing here decides what a formula means: that is `verifier.expr.tex`. What cannot be read is a problem
with a place and a remedy, and the rest of the paper is read all the same.
"""
