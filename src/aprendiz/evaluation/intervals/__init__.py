"""How sure a score is: intervals from the rows, from the folds, and of an area under a ROC curve. They know no learner."""
