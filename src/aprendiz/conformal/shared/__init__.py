"""What both predictors are made of: the rank of the quantile, models and the rows they are calibrated by, checked coverage."""
