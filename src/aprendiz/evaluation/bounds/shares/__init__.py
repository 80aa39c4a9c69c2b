"""Bounds of a share from n independent rows: how far the error on held-out rows can be from the error itself."""
