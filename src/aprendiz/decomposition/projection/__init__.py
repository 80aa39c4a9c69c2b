"""What follows from the principal axes: coordinates, the way back, the density of the rows."""
