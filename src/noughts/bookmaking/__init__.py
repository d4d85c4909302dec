"""Making opening books and checking them: which positions there are, who scores them, and the file in the end."""
