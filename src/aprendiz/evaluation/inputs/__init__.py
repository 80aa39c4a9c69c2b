"""Truth, predictions, scores and weights as users pass them, checked. For the functions that compare them, and for pictures."""
