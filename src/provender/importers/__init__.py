"""From a source's records to foods: each becomes a food, or a rejection with its reason. Pure and table-driven."""
