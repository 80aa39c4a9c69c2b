"""Singular value decompositions: by a triangle or by a Krylov space, what is known of them, and how they are taught."""
