"""Distances along a graph of neighbours."""
