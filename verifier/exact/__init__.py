"""Exact and interval arithmetic: numbers, enclosures, means, and the value of a tree at a point."""
