"""What all selectors share."""
