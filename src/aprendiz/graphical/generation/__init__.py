"""Rows drawn from a network, with or without evidence."""
