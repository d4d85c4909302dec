"""The page as a folder of files for any static host, with Python in the browser instead of a server."""
