"""Limits and expansions: leading terms, scales, sums without end."""
