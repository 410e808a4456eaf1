"""Bounds that follow from inequalities of the textbooks."""
