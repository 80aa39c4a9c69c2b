"""Predictions for the rows of the fit by the members that did not learn from them."""
