"""A small full-text index with phrases, ranking, snippets and spelling suggestions."""

from textindex.index import Index
from textindex.search import Searcher

__all__ = ["Index", "Searcher"]
__version__ = "1.0.0"
