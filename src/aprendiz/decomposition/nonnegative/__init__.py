"""Parts of the learners of non-negative factors."""
