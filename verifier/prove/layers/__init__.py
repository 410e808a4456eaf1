"""States after many layers: invariants, recursions, iterates."""
