"""Functions over boxes: enclosures in interval arithmetic, by derivatives, and on tails to infinity. Nothing
here imports points or normal forms but the ring of the latter."""
