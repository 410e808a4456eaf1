"""Matrix expressions as sums of tensor networks with open indices, and algebra on them."""
