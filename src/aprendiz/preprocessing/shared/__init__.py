"""What several preparations of columns share: x ↦ (x − a)/b column by column, most frequent values, missing cells."""
