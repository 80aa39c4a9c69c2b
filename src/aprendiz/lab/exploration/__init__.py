"""Parts of an exploration: columns, missing cells, duplicates, associations, proposals for a target, findings, the page."""
