import unittest

from textindex.snippets import Snippeter, best_window, centred, highlight, join_spans
from textindex.tokens import Analyzer

TEXT = "one two three four five six seven eight nine ten"


class WindowTest(unittest.TestCase):
    def test_the_densest_window(self):
        self.assertEqual(best_window([1, 8, 9, 20], 5), (8, 9))

    def test_the_width_counts_both_ends(self):
        self.assertEqual(best_window([1, 5], 5), (1, 5))
        self.assertEqual(best_window([1, 6], 5), (1, 1))

    def test_the_earliest_of_equal_ones(self):
        self.assertEqual(best_window([1, 2, 10, 11], 3), (1, 2))

    def test_a_later_one_with_more(self):
        self.assertEqual(best_window([1, 2, 10, 11, 12], 3), (10, 12))

    def test_one_position(self):
        self.assertEqual(best_window([0], 3), (0, 0))

    def test_no_position(self):
        self.assertIsNone(best_window([], 3))

    def test_centred(self):
        self.assertEqual(centred((10, 11), 6, 100), (8, 14))
        self.assertEqual(centred((10, 10), 4, 100), (9, 13))

    def test_centred_at_the_start(self):
        self.assertEqual(centred((1, 1), 6, 100), (0, 6))

    def test_centred_at_the_end(self):
        self.assertEqual(centred((98, 99), 6, 100), (94, 100))
        self.assertEqual(centred((97, 97), 6, 100), (94, 100))

    def test_centred_in_a_short_text(self):
        self.assertEqual(centred((1, 2), 6, 4), (0, 4))

    def test_a_window_that_is_full_already(self):
        self.assertEqual(centred((3, 5), 3, 10), (3, 6))


class SpansTest(unittest.TestCase):
    def test_spans_that_overlap_or_touch_are_joined(self):
        self.assertEqual(join_spans([(0, 3), (2, 5), (5, 6), (7, 9)]), [(0, 6), (7, 9)])

    def test_spans_inside_others(self):
        self.assertEqual(join_spans([(0, 9), (2, 5)]), [(0, 9)])

    def test_a_gap_is_bridged(self):
        self.assertEqual(join_spans([(0, 2), (3, 4), (6, 7)], gap=1), [(0, 4), (6, 7)])

    def test_spans_are_put_in_order(self):
        self.assertEqual(join_spans([(4, 5), (0, 1)]), [(0, 1), (4, 5)])

    def test_no_spans(self):
        self.assertEqual(join_spans([]), [])

    def test_highlight(self):
        self.assertEqual(highlight("a lazy dog", [(2, 6)]), "a **lazy** dog")
        self.assertEqual(highlight("lazy dog", [(5, 8), (0, 4)]), "**lazy** **dog**")

    def test_highlight_nothing(self):
        self.assertEqual(highlight("a dog", []), "a dog")

    def test_other_marks(self):
        self.assertEqual(highlight("a dog", [(2, 5)], ("<b>", "</b>")), "a <b>dog</b>")


class SnippetTest(unittest.TestCase):
    def snippet(self, terms, width=4, text=TEXT):
        return Snippeter(width=width).snippet(text, terms)

    def test_in_the_middle(self):
        self.assertEqual(self.snippet({"five"}), "…four **five** six seven…")

    def test_at_the_start(self):
        self.assertEqual(self.snippet({"one"}), "**one** two three four…")

    def test_at_the_end(self):
        self.assertEqual(self.snippet({"ten"}), "…seven eight nine **ten**")

    def test_the_whole_text(self):
        self.assertEqual(self.snippet({"two"}, 10), TEXT.replace("two", "**two**"))
        self.assertEqual(self.snippet({"two"}, 3, "one two"), "one **two**")

    def test_one_word_less_than_the_text(self):
        self.assertTrue(self.snippet({"two"}, 9).endswith("nine…"))
        self.assertTrue(self.snippet({"ten"}, 9).startswith("…two"))

    def test_several_terms(self):
        self.assertEqual(self.snippet({"two", "seven", "eight"}), "…six **seven** **eight** nine…")

    def test_only_words_of_the_window_are_marked(self):
        self.assertEqual(self.snippet({"one", "five"}, 4), "**one** two three four…")

    def test_a_snippet_of_one_word(self):
        self.assertEqual(self.snippet({"five"}, 1), "…**five**…")

    def test_without_terms_it_is_the_start(self):
        self.assertEqual(self.snippet(None), "one two three four…")
        self.assertEqual(self.snippet({"zero"}), "one two three four…")

    def test_no_words(self):
        self.assertEqual(self.snippet({"one"}, text=" ... "), "")

    def test_white_space_is_squeezed(self):
        self.assertEqual(self.snippet({"b"}, text="a\n  b"), "a **b**")

    def test_stems_are_marked_as_they_are_written(self):
        self.assertEqual(self.snippet({"dog"}, text="Two Dogs."), "Two **Dogs**")

    def test_another_analyzer_and_marks(self):
        snippeter = Snippeter(Analyzer(stemming=False), marks=("[", "]"))
        self.assertEqual(snippeter.snippet("dogs dog", {"dog"}), "dogs [dog]")

    def test_the_width_is_checked(self):
        with self.assertRaises(ValueError):
            Snippeter(width=0)


if __name__ == "__main__":
    unittest.main()
