import math
import unittest

from textindex.ranking import BM25, best


class WeightTest(unittest.TestCase):
    def setUp(self):
        self.scorer = BM25(k1=1.0, b=0.5)

    def test_one_occurrence_in_an_average_document(self):
        self.assertAlmostEqual(self.scorer.weight(1, 10, 10), 1.0)

    def test_more_occurrences_count_ever_less(self):
        self.assertAlmostEqual(self.scorer.weight(3, 10, 10), 1.5)

    def test_long_documents_count_less(self):
        self.assertAlmostEqual(self.scorer.weight(1, 20, 10), 0.8)

    def test_no_occurrence_counts_nothing(self):
        self.assertEqual(self.scorer.weight(0, 10, 10), 0.0)
        self.assertEqual(self.scorer.weight(-1, 10, 10), 0.0)

    def test_without_an_average_the_length_does_not_matter(self):
        self.assertAlmostEqual(self.scorer.weight(1, 20), 1.0)
        self.assertAlmostEqual(self.scorer.weight(1, 20, 0), 1.0)

    def test_the_usual_constants(self):
        self.assertAlmostEqual(BM25().weight(2, 5, 10), 2 * 2.2 / (2 + 1.2 * 0.625))

    def test_constants_are_checked(self):
        for k1, b in [(-0.1, 0.5), (1, -0.1), (1, 1.1)]:
            with self.subTest(k1=k1, b=b), self.assertRaises(ValueError):
                BM25(k1, b)

    def test_extreme_constants(self):
        self.assertAlmostEqual(BM25(0, 0).weight(3, 20, 10), 1.0)
        self.assertAlmostEqual(BM25(1, 1).weight(1, 20, 10), 2 / 3)

    def test_rarity(self):
        self.assertAlmostEqual(self.scorer.rarity(1, 10), math.log(1 + 9.5 / 1.5))
        self.assertGreater(self.scorer.rarity(10, 10), 0)


class BestTest(unittest.TestCase):
    scores = {1: 0.5, 2: 2.0, 3: 0.5, 4: 1.0}

    def test_the_highest_first(self):
        self.assertEqual(best(self.scores, 2), [(2, 2.0), (4, 1.0)])

    def test_of_equal_ones_the_lower_id_first(self):
        self.assertEqual([doc_id for doc_id, _ in best(self.scores, 10)], [2, 4, 1, 3])

    def test_a_slice(self):
        self.assertEqual([doc_id for doc_id, _ in best(self.scores, 2, 1)], [4, 1])
        self.assertEqual([doc_id for doc_id, _ in best(self.scores, 2, 3)], [3])
        self.assertEqual(best(self.scores, 2, 4), [])

    def test_none_at_all(self):
        self.assertEqual(best({}, 3), [])
        self.assertEqual(best(self.scores, 0), [])


if __name__ == "__main__":
    unittest.main()
