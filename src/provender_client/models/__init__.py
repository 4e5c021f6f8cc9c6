"""What the API answers, as frozen dataclasses."""
