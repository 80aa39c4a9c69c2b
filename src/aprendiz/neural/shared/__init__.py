"""What the classifier and the regressor share."""
