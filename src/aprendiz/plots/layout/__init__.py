"""Places on paper, in points, before anything is drawn: boxes of trees and networks, ways of arrows, widths of texts."""
