"""Searches, one file each, with one type of answer. Plain minimax is the oracle for all of them."""
