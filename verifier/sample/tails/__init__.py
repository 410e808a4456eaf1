"""What is proven of the tails of a quantity, and what draws cannot show."""
