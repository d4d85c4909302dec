"""Tables: files with the value and distance of every position of a game, and how they are read and written."""
