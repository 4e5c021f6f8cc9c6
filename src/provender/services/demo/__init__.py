"""Three made-up people and a month of their meals, for whoever wants to see the service with something in it."""
