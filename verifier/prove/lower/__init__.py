"""Trees as sums of networks: products, entries, expectations, derivatives."""
