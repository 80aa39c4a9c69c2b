"""What a fitted forest says of columns and rows: permuted columns, strata, proximities."""
