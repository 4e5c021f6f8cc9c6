"""The form of an export: its number, and how much one may hold."""

# It changes when an older Provender could no longer read what a newer one has written.
FORMAT = 1

# More than anybody has, and a bound that can be documented.
ITEMS_MAX = 10_000_000
