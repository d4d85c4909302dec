"""Searches: one file each, one answer type, and the plain minimax as the oracle for all of them."""
