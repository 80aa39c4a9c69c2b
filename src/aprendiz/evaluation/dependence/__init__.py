"""What a fitted model makes of a column: tables with other values in some columns, and grids of values."""
