"""What each row is to its neighbours, and the coordinates that keep it."""
