"""Graphs of arrows: order, paths, separation."""
