"""What columns say of a target beside what others say already: blocks of columns, tests given others, pairs, the search."""
