"""Targets as they come: intervals and sets, costs, skewed targets, several targets."""
