"""Tests of what is left in residuals: missing terms, uneven noise, dependence of rows that follow each other."""
