"""How good the answers of food search are, measured on judged queries."""
