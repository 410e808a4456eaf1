"""The normal form of a core term: a sum of products of atoms, means contracted by the law."""
