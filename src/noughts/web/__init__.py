"""The page and the API: a thin shell over HTTP, with no rules in it."""
