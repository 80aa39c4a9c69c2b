"""Stress, made smaller by majorization: its sweep over all pairs, and disparities."""
