"""Measurements of the product that are run by hand, beside the tests."""
