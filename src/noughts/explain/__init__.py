"""What the search saw, told to people."""
