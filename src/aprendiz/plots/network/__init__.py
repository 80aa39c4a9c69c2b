"""What the picture of a network shows of a node: its name, what is observed, its posterior as bars, its table."""
