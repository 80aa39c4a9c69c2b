"""Expressions: from text to a tree of elementary functions, and their derivatives."""
