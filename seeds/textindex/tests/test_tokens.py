import unittest

from textindex.tokens import Analyzer, Token, scan, stem


class ScanTest(unittest.TestCase):
    def words(self, text):
        return [text[start:end] for start, end in scan(text)]

    def test_words_and_numbers(self):
        self.assertEqual(self.words("The 2 cats, x9!"), ["The", "2", "cats", "x9"])

    def test_no_words(self):
        self.assertEqual(self.words(""), [])
        self.assertEqual(self.words(" ... "), [])

    def test_a_single_letter(self):
        self.assertEqual(list(scan("a")), [(0, 1)])
        self.assertEqual(list(scan(" a ")), [(1, 2)])

    def test_words_at_both_ends(self):
        self.assertEqual(list(scan("ab cd")), [(0, 2), (3, 5)])

    def test_apostrophes_inside_belong_to_the_word(self):
        self.assertEqual(self.words("don't stop"), ["don't", "stop"])

    def test_apostrophes_outside_do_not(self):
        self.assertEqual(self.words("'tis the dogs' bone'"), ["tis", "the", "dogs", "bone"])
        self.assertEqual(self.words("a''b"), ["a", "b"])


class StemTest(unittest.TestCase):
    def check(self, **stems):
        for word, root in stems.items():
            with self.subTest(word):
                self.assertEqual(stem(word), root)

    def test_plurals(self):
        self.check(dogs="dog", ponies="pony", glass="glass", cat="cat")

    def test_verbs(self):
        self.check(jumping="jump", jumped="jump", walks="walk")

    def test_doubled_letters(self):
        self.check(running="run", stopped="stop", falling="fall", passed="pass")

    def test_short_words_stay(self):
        self.check(bed="bed", king="king", bus="bus", ties="ties", its="its", cats="cat")

    def test_possessives(self):
        self.assertEqual(stem("dog's"), "dog")
        self.assertEqual(stem("boss's"), "boss")


class AnalyzerTest(unittest.TestCase):
    def test_tokens_have_positions_and_places(self):
        tokens = list(Analyzer().tokens("Lazy Dogs"))
        self.assertEqual(tokens, [Token("lazy", 0, 0, 4), Token("dog", 1, 5, 9)])

    def test_stop_words_take_up_a_position(self):
        tokens = list(Analyzer().tokens("the end of the line"))
        self.assertEqual(
            [(token.term, token.position) for token in tokens], [("end", 1), ("line", 4)]
        )

    def test_other_stop_words(self):
        self.assertEqual(Analyzer(["lazy"]).terms("the lazy dog"), ["the", "dog"])

    def test_no_stop_words_at_all(self):
        self.assertEqual(Analyzer([]).terms("the dog"), ["the", "dog"])

    def test_shortest_word(self):
        self.assertEqual(Analyzer(min_length=3).terms("ab abc abcd"), ["abc", "abcd"])

    def test_longest_word(self):
        self.assertEqual(Analyzer(max_length=3).terms("ab abc abcd"), ["ab", "abc"])

    def test_one_length_alone(self):
        analyzer = Analyzer(min_length=3, max_length=3)
        self.assertEqual(analyzer.terms("ab abc abcd"), ["abc"])

    def test_lengths_in_the_wrong_order(self):
        with self.assertRaises(ValueError):
            Analyzer(min_length=4, max_length=3)

    def test_without_stems(self):
        self.assertEqual(Analyzer(stemming=False).terms("Jumping dogs"), ["jumping", "dogs"])

    def test_a_word_that_is_not_indexed_has_no_term(self):
        self.assertIsNone(Analyzer().term("The"))
        self.assertEqual(Analyzer().term("Dogs"), "dog")

    def test_tokens_differ_in_any_part(self):
        self.assertNotEqual(Token("a", 0, 0, 1), Token("a", 1, 0, 1))
        self.assertNotEqual(Token("a", 0, 0, 1), "a")


if __name__ == "__main__":
    unittest.main()
