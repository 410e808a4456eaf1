r"""Formulas as write-ups print them, read into the one tree.

    LaTeX → tokens → syntax, once per way of pairing the bars → the typed tree → the same statement?

The reader knows the notation of the claim language and nothing else. Where a formula could be meant in
two ways it refuses and says what to write instead: a reader that guesses would call two different
statements the same.
"""
