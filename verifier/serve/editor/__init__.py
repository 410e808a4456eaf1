"""`verify lsp`: verdicts at the formulas, while one types.

page        a text that is open, as far as it was read and judged
marks       what is underlined, and the verdict at the end of a line
hover       what a claim was read as, and why its verdict is what it is
completion  names, kinds, functions and keys
actions     insert the correction, accept the verdict, draft a claim
server      the protocol; nothing else here knows it
"""
