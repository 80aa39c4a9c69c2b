"""Naive Bayes: columns that are independent within each class, their families, counts and totals."""
