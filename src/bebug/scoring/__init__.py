"""PURE: verdicts in, numbers out."""
