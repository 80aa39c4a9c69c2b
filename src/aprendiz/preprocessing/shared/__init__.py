"""What several preparations of columns share: x ↦ (x − a)/b column by column, and the most frequent value of a column."""
