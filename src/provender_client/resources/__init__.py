"""The nouns of the API and what can be done with each: signatures and one line each."""
