"""What a proof is, and what checks it: judgements, proofs, rules. It imports the tree alone, and the standard
library and python-flint: no engine, no clock, no chance, no floating point."""
