"""Tables that do not fit into memory: read in blocks, kept as a sample of their rows, learned and predicted block by block."""
