"""A second opinion: leaves of checked proofs as theorems that Coq proves by computing, without any search."""
