"""How each measure of `METRICS` is computed from predictions, with its interval and what a row adds to it. For `evaluate` and
whatever ranks by a measure.
"""
