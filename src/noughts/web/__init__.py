"""The web page and the HTTP API: a thin shell that contains no game rules."""
