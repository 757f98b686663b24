"""EDGE: asks critics."""
