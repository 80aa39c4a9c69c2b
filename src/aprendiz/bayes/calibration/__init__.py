"""Scores of a classifier turned into probabilities by Platt's sigmoid, isotonic regression or a temperature."""
