"""sup(f) >= c: a value, a pattern of any size or a ray that shows it."""
