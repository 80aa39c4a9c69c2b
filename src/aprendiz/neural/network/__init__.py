"""Layers: their shapes, activations, and the passes through them."""
