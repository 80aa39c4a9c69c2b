"""Algorithms that find the coefficients: they know a loss, a penalty and a design, and no learner."""
