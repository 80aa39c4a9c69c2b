"""What all selectors share: the chosen columns of any kind of table, and the refusal of a choice of none."""
