"""Random directions that find where a large matrix acts: products with it, its range, and a bound on what is left of it."""
