"""PURE: text in, mutants out."""
