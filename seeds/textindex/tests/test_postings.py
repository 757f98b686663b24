import unittest

from textindex.postings import (
    Posting,
    PostingList,
    exclude,
    intersect,
    nearest,
    next_between,
    phrase_starts,
    union,
)


def posting_list(*ids):
    return PostingList(Posting(doc_id, [doc_id]) for doc_id in ids)


class PostingListTest(unittest.TestCase):
    def test_frequency(self):
        self.assertEqual(Posting(1, [4, 7]).frequency, 2)

    def test_ids_and_length(self):
        postings = posting_list(2, 5, 9)
        self.assertEqual(postings.ids(), [2, 5, 9])
        self.assertEqual(len(postings), 3)

    def test_last_id(self):
        self.assertEqual(posting_list(2, 5).last_id, 5)
        self.assertIsNone(PostingList().last_id)

    def test_append_keeps_the_order(self):
        postings = posting_list(5)
        for doc_id in (4, 5):
            with self.subTest(doc_id), self.assertRaises(ValueError):
                postings.append(Posting(doc_id, []))
        postings.append(Posting(6, []))
        self.assertEqual(postings.last_id, 6)

    def test_find(self):
        postings = posting_list(2, 5, 9)
        for doc_id in (2, 5, 9):
            self.assertEqual(postings.find(doc_id).positions, (doc_id,))

    def test_find_nothing(self):
        for doc_id in (1, 3, 6, 10):
            with self.subTest(doc_id):
                self.assertIsNone(posting_list(2, 5, 9).find(doc_id))
        self.assertIsNone(PostingList().find(1))

    def test_seek(self):
        postings = posting_list(2, 5, 9)
        places = [postings.seek(doc_id) for doc_id in (1, 2, 3, 5, 9, 10)]
        self.assertEqual(places, [0, 0, 1, 1, 2, 3])

    def test_seek_from_a_start(self):
        self.assertEqual(posting_list(2, 5, 9).seek(1, start=2), 2)


class SetOperationsTest(unittest.TestCase):
    def test_intersect(self):
        self.assertEqual(list(intersect([1, 3, 5, 7], [3, 4, 7, 9])), [3, 7])

    def test_intersect_of_nothing(self):
        self.assertEqual(list(intersect([], [1])), [])
        self.assertEqual(list(intersect([1], [])), [])
        self.assertEqual(list(intersect([1, 3], [2, 4])), [])

    def test_union(self):
        self.assertEqual(list(union([1, 3, 5], [2, 3, 7, 8])), [1, 2, 3, 5, 7, 8])

    def test_union_of_nothing(self):
        self.assertEqual(list(union([], [])), [])
        self.assertEqual(list(union([1, 2], [])), [1, 2])
        self.assertEqual(list(union([], [1, 2])), [1, 2])

    def test_union_of_the_same(self):
        self.assertEqual(list(union([1, 2], [1, 2])), [1, 2])

    def test_exclude(self):
        self.assertEqual(list(exclude([1, 3, 5, 7], [0, 3, 4, 7])), [1, 5])

    def test_exclude_nothing(self):
        self.assertEqual(list(exclude([1, 2], [])), [1, 2])
        self.assertEqual(list(exclude([1, 2], [3])), [1, 2])

    def test_exclude_everything(self):
        self.assertEqual(list(exclude([1, 2], [1, 2])), [])


class PhraseTest(unittest.TestCase):
    def test_adjacent_words(self):
        self.assertEqual(phrase_starts([[1, 5, 9], [2, 7, 10]], [0, 1]), [1, 9])

    def test_three_words(self):
        self.assertEqual(phrase_starts([[1, 4], [2, 5], [3, 7]], [0, 1, 2]), [1])

    def test_a_gap_in_the_phrase(self):
        self.assertEqual(phrase_starts([[1, 5], [3, 6]], [0, 2]), [1])

    def test_the_phrase_may_begin_with_a_gap(self):
        self.assertEqual(phrase_starts([[1, 5], [2, 7]], [1, 2]), [1])

    def test_one_word(self):
        self.assertEqual(phrase_starts([[1, 5]], [0]), [1, 5])

    def test_no_word(self):
        self.assertEqual(phrase_starts([], []), [])

    def test_the_order_matters(self):
        self.assertEqual(phrase_starts([[2], [1]], [0, 1], slop=5), [])

    def test_slop(self):
        for slop, starts in [(0, []), (1, []), (2, [1]), (3, [1])]:
            with self.subTest(slop):
                self.assertEqual(phrase_starts([[1], [4]], [0, 1], slop), starts)

    def test_slop_is_shared_by_all_gaps(self):
        positions = [[1], [3], [5]]
        self.assertEqual(phrase_starts(positions, [0, 1, 2], slop=1), [])
        self.assertEqual(phrase_starts(positions, [0, 1, 2], slop=2), [1])


class PositionsTest(unittest.TestCase):
    def test_next_between(self):
        positions = [2, 4, 6]
        self.assertEqual(next_between(positions, 2, 3), 2)
        self.assertEqual(next_between(positions, 3, 4), 4)
        self.assertEqual(next_between(positions, 4, 4), 4)
        self.assertIsNone(next_between(positions, 5, 5))
        self.assertIsNone(next_between(positions, 7, 9))

    def test_nearest(self):
        self.assertEqual(nearest([1, 10], [4, 8]), 2)
        self.assertEqual(nearest([5], [1, 4, 9]), 1)
        self.assertEqual(nearest([3], [3]), 0)

    def test_nearest_looks_at_the_end_of_both_lists(self):
        self.assertEqual(nearest([1, 2, 20], [9, 21]), 1)
        self.assertEqual(nearest([9, 21], [1, 2, 20]), 1)

    def test_nearest_of_nothing(self):
        self.assertIsNone(nearest([], [1]))
        self.assertIsNone(nearest([1], []))


if __name__ == "__main__":
    unittest.main()
