"""Losses: value, gradient and curvature over a block of rows, as statistics that add. The solvers lower them."""
