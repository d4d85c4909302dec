"""Search trees: as data, as text, as pictures, and step by step."""
