"""What learners by neighbours share: the rows they keep, the k nearest or those within a radius, and the vote."""
