"""What a claim lets vary, as free numbers that an ascent may move."""
