"""Learners whose answers for one column more or less follow from sums: updated, not fitted again."""
