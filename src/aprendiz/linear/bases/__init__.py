"""Functions of the columns in which a curve is linear: monomials, bumps, waves, splines; scales on which a curve is a line."""
