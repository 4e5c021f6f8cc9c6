"""Tests of the benchmarks: that what they measure with is sound."""
