"""Exact values of matrix expressions at points of any size whose matrices are constant on blocks.

Indices fall into a few classes (the first one, and all others); a matrix that is constant on pairs of
classes, up to multiples of the identity, is a handful of numbers at every size. Such matrices are closed
under all that the language does with them, so a point of size 197 by 768, or of size n, costs what a
2-by-2 one does.
"""
