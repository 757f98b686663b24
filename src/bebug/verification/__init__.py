"""EDGE: turns claims into evidence by running tests."""
