"""Relations between numbers over domains: enclosures, sums of squares, sums over entries."""
