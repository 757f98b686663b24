import unittest

from textindex.index import Index
from textindex.query import Word, parse_query
from textindex.ranking import BM25
from textindex.search import Results, Searcher
from textindex.snippets import Snippeter

TEXTS = [
    "The quick brown fox jumps over the lazy dog",
    "A lazy afternoon with the dogs",
    "Brown bears fish; the fox watches",
    "Jumping is quick, jumping is fun, jumping is free",
    "A well-known fox and a known well",
]


def make_searcher(texts=TEXTS, **options):
    index = Index(segment_size=2)
    for text in texts:
        index.add(text)
    return Searcher(index, **options)


class MatchTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.searcher = make_searcher()

    def check(self, query, *ids):
        self.assertEqual(self.searcher.matches(parse_query(query)), list(ids))

    def test_words(self):
        self.check("fox", 1, 3, 5)
        self.check("FOXES")
        self.check("dog", 1, 2)

    def test_all_words(self):
        self.check("lazy dog", 1, 2)
        self.check("brown fox lazy", 1)

    def test_stop_words_are_everywhere(self):
        self.check("the", 1, 2, 3, 4, 5)
        self.check("the fun", 4)

    def test_some_words(self):
        self.check("fun OR afternoon", 2, 4)
        self.check("fun OR afternoon OR bear", 2, 3, 4)

    def test_without_a_word(self):
        self.check("fox -dog", 3, 5)
        self.check("-fox", 2, 4)

    def test_prefixes(self):
        self.check("jum*", 1, 4)
        self.check("AF*", 2)
        self.check("zz*")

    def test_phrases(self):
        self.check('"brown fox"', 1)
        self.check('"lazy dog"', 1)
        self.check('"fox brown"')
        self.check('"afternoon"', 2)

    def test_stop_words_in_a_phrase_stand_for_any_word(self):
        self.check('"fish the fox"', 3)
        self.check('"fish fox"')

    def test_a_phrase_of_stop_words(self):
        self.check('"is the"')

    def test_phrases_with_slop(self):
        self.check('"quick fox"~0')
        self.check('"quick fox"~1', 1)
        self.check('"lazy dog"~2', 1)
        self.check('"lazy dog"~3', 1, 2)

    def test_a_hyphenated_word_is_a_phrase(self):
        self.check("well-known", 5)
        self.check("known-fox", 5)
        self.check("fox-known")

    def test_near(self):
        self.check("fox NEAR/1 brown", 1)
        self.check("fox NEAR/3 brown", 1)
        self.check("fox NEAR/4 brown", 1, 3)
        self.check("dog NEAR/3 lazy", 1)
        self.check("dog NEAR/4 lazy", 1, 2)

    def test_near_a_stop_word(self):
        self.check("fox NEAR/3 the")
        self.check("the NEAR/3 fox")

    def test_groups(self):
        self.check("(dog OR bear) brown", 1, 3)

    def test_deleted_documents_are_not_found(self):
        searcher = make_searcher()
        searcher.index.delete(1)
        self.assertEqual(searcher.matches(Word("fox")), [3, 5])


class TermsTest(unittest.TestCase):
    def check(self, query, *terms):
        self.assertEqual(list(make_searcher().terms(parse_query(query))), list(terms))

    def test_words_and_phrases(self):
        self.check('the dogs "brown fox"', "dog", "brown", "fox")

    def test_prefixes(self):
        self.check("f*", "fish", "fox", "free", "fun")

    def test_near(self):
        self.check("dogs NEAR/2 fox", "dog", "fox")

    def test_negated_words_do_not_count(self):
        self.check("fox -dog", "fox")

    def test_both_sides_of_or(self):
        self.check("fox OR dogs", "fox", "dog")


class ScoreTest(unittest.TestCase):
    def test_more_occurrences_score_higher(self):
        results = make_searcher().search("jumping")
        self.assertEqual([hit.doc_id for hit in results.hits], [4, 1])

    def test_short_documents_score_higher(self):
        results = make_searcher().search("lazy")
        self.assertEqual([hit.doc_id for hit in results.hits], [2, 1])

    def test_rare_words_count_more(self):
        results = make_searcher().search("fox OR afternoon")
        self.assertEqual(results.hits[0].doc_id, 2)

    def test_a_word_asked_for_twice_counts_once(self):
        searcher = make_searcher()
        once, twice = searcher.search("fox"), searcher.search("fox fox")
        self.assertEqual(once.hits[0].score, twice.hits[0].score)

    def test_score(self):
        searcher = make_searcher(["dog cat", "dog dog", "cow"], scorer=BM25(1, 0))
        self.assertEqual(searcher.score([1, 2], []), {1: 0.0, 2: 0.0})
        scores = searcher.score([1, 2], ["dog"])
        rarity = searcher.scorer.rarity(2, 3)
        self.assertAlmostEqual(scores[1], rarity)
        self.assertAlmostEqual(scores[2], rarity * 4 / 3)

    def test_documents_that_are_gone_score_nothing(self):
        self.assertEqual(make_searcher().score([99], ["fox"]), {99: 0.0})


class SearchTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.searcher = make_searcher([f"item number{n}" for n in range(1, 8)])

    def test_pages(self):
        for page, ids in [(1, [1, 2, 3]), (2, [4, 5, 6]), (3, [7]), (4, [])]:
            with self.subTest(page):
                results = self.searcher.search("item", page, 3)
                self.assertEqual([hit.doc_id for hit in results.hits], ids)
                self.assertEqual(results.total, 7)

    def test_ten_on_a_page_unless_told_otherwise(self):
        searcher = make_searcher(["item"] * 11)
        self.assertEqual(len(searcher.search("item").hits), 10)

    def test_pages_count_from_one(self):
        for page, size in [(0, 3), (1, 0)]:
            with self.subTest(page=page, size=size), self.assertRaises(ValueError):
                self.searcher.search("item", page, size)
        self.assertEqual(len(self.searcher.search("item", 1, 1).hits), 1)

    def test_an_empty_query_finds_nothing(self):
        results = self.searcher.search("  ")
        self.assertEqual((results.hits, results.total, results.suggestion), ([], 0, None))

    def test_a_least_score(self):
        score = self.searcher.search("number3").hits[0].score
        self.assertEqual(self.searcher.search("number3", min_score=score).total, 1)
        self.assertEqual(self.searcher.search("number3", min_score=score + 0.01).total, 0)

    def test_hits_show_the_document(self):
        searcher = make_searcher(snippeter=Snippeter(width=3, marks=("<", ">")))
        hit = searcher.search("afternoon").hits[0]
        self.assertEqual(hit.heading, "A lazy afternoon with the dogs")
        self.assertEqual(hit.snippet, "…lazy <afternoon> with…")

    def test_the_snippet_uses_the_analyzer_of_the_index(self):
        hit = make_searcher().search("dog lazy afternoon").hits[0]
        self.assertEqual(hit.snippet, "A **lazy** **afternoon** with the **dogs**")

    def test_a_hit_needs_a_document(self):
        with self.assertRaises(KeyError):
            self.searcher.hit(99, 1.0, [])


class SuggestionTest(unittest.TestCase):
    def setUp(self):
        self.searcher = make_searcher()

    def test_unknown_words_are_put_right(self):
        self.assertEqual(self.searcher.search("lasy dgo").suggestion, "lazy dog")

    def test_known_words_and_stop_words_stay(self):
        self.assertEqual(self.searcher.suggestion("the Dogs afternoun"), "the Dogs afternoon")

    def test_punctuation_stays(self):
        self.assertEqual(self.searcher.suggestion('"lasy" -(dgo)'), '"lazy" -(dog)')

    def test_keywords_and_numbers_stay(self):
        self.assertEqual(self.searcher.suggestion("bera NEAR/3 fix"), "bear NEAR/3 fox")

    def test_no_suggestion_when_nothing_is_near(self):
        self.assertIsNone(self.searcher.search("elephant").suggestion)

    def test_no_suggestion_when_something_was_found(self):
        self.assertIsNone(self.searcher.search("fox OR lasy").suggestion)

    def test_the_speller_is_made_once(self):
        self.assertIs(self.searcher.speller, self.searcher.speller)
        self.assertEqual(self.searcher.speller.count("fox"), 3)


class ResultsTest(unittest.TestCase):
    def results(self, total, page, size=10, hits=None):
        count = min(size, total - (page - 1) * size) if hits is None else hits
        return Results([None] * count, total, page, size)

    def test_number_of_pages(self):
        for total, pages in [(0, 1), (1, 1), (9, 1), (10, 1), (11, 2), (20, 2), (21, 3)]:
            with self.subTest(total):
                self.assertEqual(self.results(total, 1).pages, pages)

    def test_ranks_on_a_page(self):
        results = self.results(25, 1)
        self.assertEqual((results.first, results.last), (1, 10))
        results = self.results(25, 3)
        self.assertEqual((results.first, results.last), (21, 25))

    def test_an_empty_page_has_no_ranks(self):
        results = self.results(0, 1)
        self.assertIsNone(results.first)
        self.assertIsNone(results.last)

    def test_has_next(self):
        self.assertTrue(self.results(25, 2).has_next)
        self.assertFalse(self.results(25, 3).has_next)
        self.assertFalse(self.results(0, 1).has_next)

    def test_neighbours(self):
        self.assertEqual(self.results(90, 5).neighbours(), [3, 4, 5, 6, 7])
        self.assertEqual(self.results(90, 1).neighbours(), [1, 2, 3])
        self.assertEqual(self.results(90, 9).neighbours(), [7, 8, 9])
        self.assertEqual(self.results(90, 8).neighbours(1), [7, 8, 9])
        self.assertEqual(self.results(0, 1).neighbours(), [1])


if __name__ == "__main__":
    unittest.main()
