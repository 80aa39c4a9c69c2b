"""The table as a solver sees it: products of columns, sums by fold or class, white coordinates, rows in a random order."""
