"""Double-entry bookkeeping from a plain-text journal."""

__version__ = "1.0.0"
