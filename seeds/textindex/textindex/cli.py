"""The command line."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from textindex.index import Index
from textindex.search import Results, Searcher


def build_parser() -> argparse.ArgumentParser:
    """The arguments of the commands."""
    parser = argparse.ArgumentParser(prog="textindex", description="A small full-text index.")
    commands = parser.add_subparsers(dest="command", required=True)

    add = commands.add_parser("add", help="index text files")
    add.add_argument("index", type=Path)
    add.add_argument("files", type=Path, nargs="+")
    add.add_argument("--title")

    search = commands.add_parser("search", help="show what fits a query")
    search.add_argument("index", type=Path)
    search.add_argument("query")
    search.add_argument("--page", type=int, default=1)
    search.add_argument("--size", type=int, default=10)
    search.add_argument("--min-score", type=float)

    suggest = commands.add_parser("suggest", help="known words like this one")
    suggest.add_argument("index", type=Path)
    suggest.add_argument("word")
    suggest.add_argument("--limit", type=int, default=3)

    stats = commands.add_parser("stats", help="how large the index is")
    stats.add_argument("index", type=Path)
    return parser


def render(results: Results) -> list[str]:
    """The lines that show a page of results."""
    if results.first is None:
        lines = ["nothing found"]
        if results.suggestion is not None:
            lines.append(f"did you mean: {results.suggestion}")
        return lines
    lines = [f"{results.first}-{results.last} of {results.total}"]
    for rank, hit in enumerate(results.hits, start=results.first):
        lines.append(f"{rank}. {hit.heading} [{hit.doc_id}] {hit.score:.3f}")
        lines.append(f"   {hit.snippet}")
    if results.has_next:
        lines.append(f"page {results.page} of {results.pages}")
    return lines


def main(argv: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    """Run a command; returns 0, or 1 with a message when something is wrong."""
    if out is None:
        out = sys.stdout
    options = build_parser().parse_args(argv)
    try:
        lines = run(options)
    except (OSError, ValueError) as problem:
        print(f"textindex: {problem}", file=sys.stderr)
        return 1
    for line in lines:
        print(line, file=out)
    return 0


def run(options: argparse.Namespace) -> list[str]:
    """The lines that a command prints."""
    index = Index.open(options.index)
    if options.command == "add":
        for path in options.files:
            index.add(path.read_text(encoding="utf-8"), options.title or path.stem)
        index.save(options.index)
        return [f"{len(options.files)} added, {len(index)} in all"]
    searcher = Searcher(index)
    if options.command == "search":
        return render(searcher.search(options.query, options.page, options.size, options.min_score))
    if options.command == "suggest":
        return searcher.speller.suggest(options.word, options.limit)
    average = index.average_length
    shown = "-" if average is None else f"{average:.1f}"
    return [
        f"documents: {len(index)}",
        f"terms: {len(index.terms())}",
        f"words per document: {shown}",
    ]
