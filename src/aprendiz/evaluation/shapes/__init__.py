"""The shape of one column of numbers beside the normal distribution: moments with standard errors, and tests."""
