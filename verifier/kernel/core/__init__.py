"""The core form: statements about entries, in which everything bound is bound openly."""
