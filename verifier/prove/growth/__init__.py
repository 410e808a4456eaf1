"""Growth of sizes: O, Omega, Theta and orders of magnitude."""
