"""Spectral clustering: affinities, the smallest eigenvectors of a Laplacian, and groups from them. Graphs are in graph/."""
