"""Answers to queries: elimination orders, junction trees, messages."""
