"""Faults around the engines: none of them may cost more than the claim that it hits."""
