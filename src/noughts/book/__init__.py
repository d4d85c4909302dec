"""Opening books: files with the exact score of every position of a game up to some ply."""
