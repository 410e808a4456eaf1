"""Relations between closed forms: proved equal, refuted at a point, corrected."""
