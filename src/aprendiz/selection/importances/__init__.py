"""How important a learner finds each column while it is fitted: thresholds, entries into a path, trees and forests."""
