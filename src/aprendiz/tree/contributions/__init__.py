"""What each column adds to the prediction of a sum of trees, and the prediction where some columns alone are known."""
