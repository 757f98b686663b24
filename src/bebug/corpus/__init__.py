"""EDGE: cases on disk."""
