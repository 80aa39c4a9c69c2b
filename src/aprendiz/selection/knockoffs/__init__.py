"""Knockoffs: copies of the columns that know nothing of the target, and how many columns may be believed beside them."""
