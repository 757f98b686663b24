import unittest

from textindex.query import And, Near, Not, Or, Phrase, Prefix, QueryError, Word, parse_query


class ParseTest(unittest.TestCase):
    def check(self, text, node):
        self.assertEqual(parse_query(text), node)

    def test_a_word(self):
        self.check("dog", Word("dog"))
        self.check("  dog  ", Word("dog"))

    def test_words_are_all_asked_for(self):
        self.check("lazy brown dog", And(Word("lazy"), Word("brown"), Word("dog")))

    def test_nothing(self):
        self.check("", None)
        self.check("   ", None)

    def test_or(self):
        self.check("cat OR dog", Or(Word("cat"), Word("dog")))
        self.check("a OR b OR c", Or(Word("a"), Word("b"), Word("c")))

    def test_and_binds_closer_than_or(self):
        self.check("a b OR c", Or(And(Word("a"), Word("b")), Word("c")))
        self.check("a OR b c", Or(Word("a"), And(Word("b"), Word("c"))))

    def test_words_that_only_start_like_or(self):
        self.check("ORDER or", And(Word("ORDER"), Word("or")))

    def test_not(self):
        self.check("cat -dog", And(Word("cat"), Not(Word("dog"))))
        self.check("-dog", Not(Word("dog")))
        self.check("--dog", Not(Not(Word("dog"))))

    def test_a_hyphen_inside_a_word(self):
        self.check("well-known", Word("well-known"))

    def test_a_lone_hyphen_is_a_word(self):
        self.check("a - b", And(Word("a"), Word("-"), Word("b")))

    def test_a_prefix(self):
        self.check("jump*", Prefix("jump"))
        self.check("j*", Prefix("j"))

    def test_a_lone_star_is_a_word(self):
        self.check("*", Word("*"))

    def test_a_phrase(self):
        self.check('"lazy dog"', Phrase("lazy dog"))
        self.check('cat "lazy dog"', And(Word("cat"), Phrase("lazy dog")))

    def test_a_phrase_with_slop(self):
        self.check('"quick fox"~2', Phrase("quick fox", 2))
        self.check('"quick fox"~12 dog', And(Phrase("quick fox", 12), Word("dog")))

    def test_an_empty_phrase(self):
        self.check('""', Phrase(""))

    def test_near(self):
        self.check("quick NEAR/3 dog", Near("quick", "dog", 3))
        self.check("a quick NEAR/10 dog b", And(Word("a"), Near("quick", "dog", 10), Word("b")))

    def test_groups(self):
        self.check("(cat OR dog) lazy", And(Or(Word("cat"), Word("dog")), Word("lazy")))
        self.check("((dog))", Word("dog"))
        self.check("-(a b)", Not(And(Word("a"), Word("b"))))

    def test_nodes_of_another_kind_differ(self):
        self.assertNotEqual(Word("a"), Prefix("a"))
        self.assertNotEqual(And(Word("a"), Word("b")), And(Word("b"), Word("a")))
        self.assertEqual(len({Word("a"), Word("a"), Word("b")}), 2)


class ErrorTest(unittest.TestCase):
    def check(self, text, message, column):
        with self.assertRaises(QueryError) as caught:
            parse_query(text)
        self.assertEqual(str(caught.exception), f"{message} at column {column}")
        self.assertEqual(caught.exception.column, column)

    def test_an_open_quote(self):
        self.check('"lazy dog', "a quote is not closed", 1)
        self.check('cat "lazy', "a quote is not closed", 5)

    def test_or_with_one_side(self):
        self.check("cat OR", "OR needs a condition on each side", 5)
        self.check("OR dog", "OR needs a condition on each side", 1)
        self.check("a OR OR b", "OR needs a condition on each side", 3)

    def test_near_with_one_side(self):
        self.check("NEAR/3 dog", "NEAR needs a word on each side", 1)
        self.check("cat NEAR/3", "NEAR needs a word on each side", 5)
        self.check('cat NEAR/3 "dog"', "NEAR needs a word on each side", 5)

    def test_groups_must_be_closed(self):
        self.check("a (b", "a group is not closed", 3)
        self.check("a b)", "unexpected ')'", 4)

    def test_something_must_be_negated(self):
        self.check("a -)", "nothing after '-'", 3)
        self.check("()", "nothing after '('", 1)

    def test_an_error_may_have_no_column(self):
        self.assertEqual(str(QueryError("wrong")), "wrong")


if __name__ == "__main__":
    unittest.main()
