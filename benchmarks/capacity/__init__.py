"""How many rows, bytes and machines so many profiles need: from a sample that is loaded and measured."""
