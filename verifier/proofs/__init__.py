"""Between the kernel and a run: what a claim needs proved, what is proposed for it, and files of proofs.
It imports the kernel, the tree and claims: no engine."""
