"""Parts of a search for groups: is there structure, how many groups, which method, what tells them apart, the page."""
