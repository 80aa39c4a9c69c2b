"""Search for a graph: scores, moves, tests of independence."""
