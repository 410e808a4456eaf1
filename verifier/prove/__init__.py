"""Proofs of relations by subject. SymPy is used here alone; nothing here knows the witness that samples."""
