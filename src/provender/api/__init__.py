"""How the outside asks: HTTP in, services called, JSON out."""
