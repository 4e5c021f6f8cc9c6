"""What the product does, one file a noun. Services decide; they neither speak HTTP nor write SQL."""
