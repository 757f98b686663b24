"""EDGE: cases on disk."""

from bebug.corpus.reading import load
from bebug.corpus.store import Store

__all__ = ["Store", "load"]
