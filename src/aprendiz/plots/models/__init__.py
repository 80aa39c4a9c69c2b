"""What a picture asks of a fitted model: the response of a classifier, coefficients with their names, a path of penalties."""
