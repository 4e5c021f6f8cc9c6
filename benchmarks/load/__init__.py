"""`make load`: many connections for minutes, with what applications do in the proportions in which they do it."""
