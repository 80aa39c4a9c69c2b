"""Many trees in a few arrays: how they grow on one coded table, and how rows go down all of them."""
