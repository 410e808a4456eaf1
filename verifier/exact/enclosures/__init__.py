"""Functions of a few real variables, enclosed over domains: signs, ranges, extremes, tails."""
