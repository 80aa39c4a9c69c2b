"""What several measures of clusterings share."""
