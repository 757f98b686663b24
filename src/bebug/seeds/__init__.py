"""EDGE: find, describe, fetch and install seed repositories."""
