"""The search for neighbours: metrics, brute force, trees, sparse rows, functions, given distances; `search` chooses."""
