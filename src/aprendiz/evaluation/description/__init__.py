"""What a table looks like: its columns opened as numbers and codes, and the sums from which `describe` follows."""
