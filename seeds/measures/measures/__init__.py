"""Reads, converts, compares and prints quantities with units."""

from measures.formatting import TemplateError, best, compound, format_number, render
from measures.numbers import parse_number
from measures.parsing import ParseError, parse, parse_span
from measures.quantities import Quantity
from measures.spans import Span
from measures.units import Unit, UnitError, find_unit

__version__ = "1.0.0"

__all__ = [
    "ParseError",
    "Quantity",
    "Span",
    "TemplateError",
    "Unit",
    "UnitError",
    "best",
    "compound",
    "find_unit",
    "format_number",
    "parse",
    "parse_number",
    "parse_span",
    "render",
]
