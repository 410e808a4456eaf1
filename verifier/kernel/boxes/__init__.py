"""Functions over boxes: enclosures in interval arithmetic, by slopes, and on tails that run to infinity."""
