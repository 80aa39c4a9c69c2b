"""From a protocol to predictions: splits of the rows, and the fit and the predictions of one fold. For `evaluate`, learning
curves and tuning.
"""
