import unittest

from textindex.spelling import Speller, common_prefix, distance


class DistanceTest(unittest.TestCase):
    def check(self, left, right, steps):
        self.assertEqual(distance(left, right), steps)
        self.assertEqual(distance(right, left), steps)

    def test_the_same_word(self):
        self.check("dog", "dog", 0)
        self.check("", "", 0)

    def test_insert_and_delete(self):
        self.check("dog", "dogs", 1)
        self.check("", "dog", 3)
        self.check("og", "dog", 1)

    def test_replace(self):
        self.check("dog", "dig", 1)
        self.check("dog", "cat", 3)

    def test_swap(self):
        self.check("dog", "odg", 1)
        self.check("dog", "dgo", 1)
        self.check("abcd", "badc", 2)

    def test_a_swap_needs_both_letters(self):
        self.check("ab", "bc", 2)
        self.check("abx", "cax", 2)

    def test_longer_words(self):
        self.check("kitten", "sitting", 3)
        self.check("saturday", "sunday", 3)

    def test_within_a_limit(self):
        self.assertEqual(distance("kitten", "sitting", 3), 3)
        self.assertIsNone(distance("kitten", "sitting", 2))

    def test_a_limit_of_zero(self):
        self.assertEqual(distance("dog", "dog", 0), 0)
        self.assertIsNone(distance("dog", "dig", 0))

    def test_a_limit_on_the_lengths(self):
        self.assertEqual(distance("d", "dog", 2), 2)
        self.assertIsNone(distance("d", "dogs", 2))

    def test_a_difference_at_the_end(self):
        self.assertIsNone(distance("abcd", "abxy", 1))


class PrefixTest(unittest.TestCase):
    def test_common_prefix(self):
        self.assertEqual(common_prefix("dogma", "doge"), 3)
        self.assertEqual(common_prefix("dog", "dog"), 3)
        self.assertEqual(common_prefix("dog", "dogs"), 3)
        self.assertEqual(common_prefix("dogs", "dog"), 3)
        self.assertEqual(common_prefix("dog", "cat"), 0)


class SpellerTest(unittest.TestCase):
    def setUp(self):
        self.speller = Speller({"dog": 5, "dig": 2, "fog": 9, "dogma": 1, "house": 3, "mouse": 3})

    def test_the_nearest_first_then_the_longest_shared_start(self):
        self.assertEqual(self.speller.suggest("dob"), ["dog"])
        self.assertEqual(self.speller.suggest("dgo", reach=2), ["dog", "dig", "fog"])

    def test_the_word_itself_is_no_suggestion(self):
        self.assertEqual(self.speller.suggest("dog"), ["dig", "fog"])

    def test_the_more_frequent_of_equally_near_ones(self):
        speller = Speller({"bat": 1, "bad": 3, "bag": 2})
        self.assertEqual(speller.suggest("bax"), ["bad", "bag", "bat"])

    def test_then_by_the_alphabet(self):
        self.assertEqual(Speller({"bat": 1, "bad": 1}).suggest("bax"), ["bad", "bat"])

    def test_a_number_of_suggestions(self):
        self.assertEqual(self.speller.suggest("dog", limit=1), ["dig"])
        self.assertEqual(self.speller.suggest("dog", limit=0), [])

    def test_three_unless_told_otherwise(self):
        speller = Speller(dict.fromkeys(["bad", "bag", "ban", "bat"], 1))
        self.assertEqual(len(speller.suggest("bax")), 3)

    def test_short_words_may_differ_in_one_letter(self):
        self.assertEqual(Speller({"dogma": 1}).suggest("dog"), [])
        self.assertEqual(Speller({"dogs": 1}).suggest("dogmas"), ["dogs"])
        self.assertEqual(Speller({"abcd": 1}).suggest("abxy"), [])
        self.assertEqual(Speller({"abcde": 1}).suggest("abcxy"), ["abcde"])

    def test_candidates_are_as_long_give_or_take(self):
        self.assertEqual(
            set(self.speller.candidates("dogm", 1)),
            {"dog", "dig", "fog", "dogma", "house", "mouse"},
        )
        self.assertEqual(set(self.speller.candidates("do", 1)), {"dog", "dig", "fog"})
        self.assertEqual(set(self.speller.candidates("houses", 1)), {"dogma", "house", "mouse"})
        self.assertEqual(set(self.speller.candidates("d", 1)), set())

    def test_words_of_one_letter_are_candidates(self):
        self.assertEqual(list(Speller({"a": 1}).candidates("ab", 2)), ["a"])

    def test_counts_add_up(self):
        self.speller.add("dog")
        self.assertEqual(self.speller.count("dog"), 6)
        self.assertEqual(self.speller.count("cow"), 0)
        self.assertEqual(self.speller.suggest("dob"), ["dog"])

    def test_what_does_not_count(self):
        self.speller.add("", 1)
        self.speller.add("cow", 0)
        self.assertEqual(self.speller.count("cow"), 0)
        self.assertIsNone(self.speller.correct("cow"))
        self.assertEqual(self.speller.count(""), 0)

    def test_correct(self):
        self.assertEqual(self.speller.correct("dog"), "dog")
        self.assertEqual(self.speller.correct("hose"), "house")
        self.assertIsNone(self.speller.correct("elephant"))

    def test_a_speller_without_words(self):
        self.assertEqual(Speller().suggest("dog"), [])


if __name__ == "__main__":
    unittest.main()
