"""What a score may owe to rows or columns that should not have been known: rows on both sides of a split, columns that know the
target, preparation that has seen the test rows. They know tables, splits and learners, not where a table comes from."""
