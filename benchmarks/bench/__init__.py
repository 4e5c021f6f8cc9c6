"""`make bench`: everything that is promised about speed, measured in one go and judged."""
