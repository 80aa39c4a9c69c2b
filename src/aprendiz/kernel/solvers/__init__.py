"""Systems of equations and eigenvalues of Gram matrices, in products of tiles that threads share."""
