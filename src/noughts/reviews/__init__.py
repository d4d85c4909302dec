"""Reviews: a game move by move, with its mistakes, what was better, and retries."""
