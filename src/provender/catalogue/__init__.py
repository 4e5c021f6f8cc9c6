"""The food catalogue: the same for everybody, immutable, in versioned files that every server process opens."""
