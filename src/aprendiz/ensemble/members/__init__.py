"""Members of an ensemble: the rows and weights that each learns from, how each is made, how predictions are combined."""
