"""Trees at points: what they are worth, whether a relation holds there, how to see it by hand."""
