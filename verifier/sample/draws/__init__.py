"""Points and draws: laws, streams, structured matrices, what symbols are worth."""
