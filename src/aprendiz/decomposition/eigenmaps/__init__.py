"""Embeddings made of the eigenvectors of a graph."""
