"""A statement at one point: values of the symbols, what the declarations, laws and assumptions say of them,
and both sides there, exactly or by enclosures."""
