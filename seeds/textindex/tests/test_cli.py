import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from textindex.cli import main


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.index = self.folder / "notes.jsonl"

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def run_command(self, command, *arguments):
        out = io.StringIO()
        status = main([command, str(self.index), *map(str, arguments)], out)
        self.assertEqual(status, 0)
        return out.getvalue().splitlines()

    def add_notes(self):
        first = self.write("pets.txt", "My dog chases the cat.")
        second = self.write("farm.txt", "A dog and three cows.")
        return self.run_command("add", first, second)

    def test_add(self):
        self.assertEqual(self.add_notes(), ["2 added, 2 in all"])
        more = self.write("more.txt", "More.")
        self.assertEqual(self.run_command("add", more), ["1 added, 3 in all"])

    def test_add_with_a_title(self):
        self.run_command("add", self.write("a.txt", "Some text."), "--title", "Essay")
        self.assertTrue(self.run_command("search", "text")[1].startswith("1. Essay [1] "))

    def test_the_title_is_the_name_of_the_file(self):
        self.add_notes()
        self.assertEqual(self.run_command("search", "farm")[1][:12], "1. farm [2] ")

    def test_search(self):
        self.add_notes()
        lines = self.run_command("search", "dog -cat")
        self.assertEqual(lines[0], "1-1 of 1")
        self.assertEqual(lines[2], "   A **dog** and three cows")
        self.assertEqual(len(lines), 3)

    def test_search_by_pages(self):
        self.add_notes()
        first = self.run_command("search", "dog", "--size", 1)
        self.assertEqual((first[0], first[-1]), ("1-1 of 2", "page 1 of 2"))
        second = self.run_command("search", "dog", "--size", 1, "--page", 2)
        self.assertEqual((second[0], second[1][:2], len(second)), ("2-2 of 2", "2.", 3))

    def test_search_with_a_least_score(self):
        self.add_notes()
        lines = self.run_command("search", "dog", "--min-score", 99)
        self.assertEqual(lines, ["nothing found"])

    def test_search_in_vain(self):
        self.add_notes()
        lines = self.run_command("search", "chaise")
        self.assertEqual(lines, ["nothing found", "did you mean: chase"])

    def test_suggest(self):
        self.add_notes()
        self.assertEqual(self.run_command("suggest", "cot"), ["cow", "cat"])
        self.assertEqual(self.run_command("suggest", "cot", "--limit", 1), ["cow"])

    def test_stats(self):
        self.add_notes()
        self.assertEqual(
            self.run_command("stats"),
            ["documents: 2", "terms: 8", "words per document: 4.5"],
        )

    def test_stats_of_nothing(self):
        self.assertEqual(
            self.run_command("stats"), ["documents: 0", "terms: 0", "words per document: -"]
        )

    def check_error(self, message, command, *arguments):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            status = main([command, str(self.index), *map(str, arguments)], io.StringIO())
        self.assertEqual(status, 1)
        self.assertIn(message, errors.getvalue())

    def test_a_missing_file(self):
        self.check_error("none.txt", "add", self.folder / "none.txt")

    def test_a_wrong_query(self):
        self.check_error("a quote is not closed at column 1", "search", '"dog')

    def test_a_file_that_is_not_an_index(self):
        self.index.write_text("hello\n", encoding="utf-8")
        self.check_error("line 1: not JSON", "stats")

    def test_output_goes_to_stdout_unless_told_otherwise(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(main(["stats", str(self.index)]), 0)
        self.assertTrue(out.getvalue().startswith("documents: 0\n"))


if __name__ == "__main__":
    unittest.main()
