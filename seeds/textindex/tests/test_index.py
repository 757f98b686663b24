import tempfile
import unittest
from pathlib import Path

from textindex.index import Index
from textindex.tokens import Analyzer


def make_index(count, **options):
    index = Index(**options)
    for number in range(1, count + 1):
        index.add(f"word{number} common")
    return index


class AddTest(unittest.TestCase):
    def test_ids_count_from_one(self):
        index = Index()
        self.assertEqual([index.add("a"), index.add("b")], [1, 2])

    def test_a_given_id(self):
        index = Index()
        self.assertEqual(index.add("a", doc_id=7), 7)
        self.assertEqual(index.add("b"), 8)

    def test_the_next_free_id_may_be_given(self):
        index = make_index(2)
        self.assertEqual(index.add("c", doc_id=3), 3)

    def test_a_given_id_must_be_free(self):
        index = make_index(2)
        for doc_id in (1, 2):
            with self.subTest(doc_id), self.assertRaisesRegex(ValueError, "is not after 2"):
                index.add("again", doc_id=doc_id)

    def test_the_title_is_kept(self):
        index = Index()
        index.add("text", title="Title")
        self.assertEqual(index.document(1).title, "Title")

    def test_the_analyzer_is_used(self):
        index = Index(Analyzer([], stemming=False))
        index.add("the cats")
        self.assertEqual(index.terms(), ["cats", "the"])


class SegmentsTest(unittest.TestCase):
    def sizes(self, index):
        return [len(segment) for segment in index.segments]

    def test_a_full_segment_is_followed_by_another(self):
        self.assertEqual(self.sizes(make_index(2, segment_size=2)), [2])
        self.assertEqual(self.sizes(make_index(3, segment_size=2)), [2, 1])

    def test_segments_are_merged_when_there_are_many(self):
        self.assertEqual(self.sizes(make_index(3, segment_size=1, merge_factor=4)), [1, 1, 1])
        self.assertEqual(self.sizes(make_index(4, segment_size=1, merge_factor=4)), [3, 1])

    def test_merge_two_at_a_time(self):
        self.assertEqual(self.sizes(make_index(2, segment_size=1, merge_factor=2)), [2])

    def test_compact_to_a_number(self):
        for keep, sizes in [(1, [4]), (2, [3, 1]), (3, [2, 1, 1]), (4, [1, 1, 1, 1])]:
            with self.subTest(keep):
                index = make_index(4, segment_size=1)
                index.compact(keep)
                self.assertEqual(self.sizes(index), sizes)

    def test_compact_to_half(self):
        index = make_index(5, segment_size=1)
        index.compact()
        self.assertEqual(self.sizes(index), [3, 1, 1])

    def test_compact_keeps_one_segment_at_least(self):
        index = make_index(2, segment_size=1)
        index.compact(0)
        self.assertEqual(self.sizes(index), [1, 1])

    def test_nothing_gets_lost(self):
        index = make_index(20, segment_size=2, merge_factor=3)
        self.assertEqual(index.ids("common"), list(range(1, 21)))
        self.assertEqual(index.ids("word13"), [13])

    def test_sizes_are_checked(self):
        for options in ({"segment_size": 0}, {"merge_factor": 1}):
            with self.subTest(options), self.assertRaises(ValueError):
                Index(**options)
        self.assertEqual(len(Index(segment_size=1, merge_factor=2)), 0)


class DeleteTest(unittest.TestCase):
    def setUp(self):
        self.index = make_index(4, segment_size=2)

    def test_a_deleted_document_is_gone(self):
        self.assertTrue(self.index.delete(2))
        self.assertIsNone(self.index.document(2))
        self.assertEqual(self.index.ids(), [1, 3, 4])
        self.assertEqual(self.index.ids("common"), [1, 3, 4])
        self.assertEqual(len(self.index), 3)

    def test_there_must_be_one(self):
        self.assertFalse(self.index.delete(5))
        self.index.delete(2)
        self.assertFalse(self.index.delete(2))

    def test_compacting_forgets_it(self):
        self.index.delete(2)
        self.index.compact(1)
        self.assertEqual(self.index.deleted, set())
        self.assertEqual(self.index.ids(), [1, 3, 4])

    def test_compacting_the_old_ones_does_not_forget_the_new(self):
        self.index.add("fifth")
        self.index.delete(1)
        self.index.delete(5)
        self.index.compact(2)
        self.assertEqual(self.index.deleted, {5})
        self.assertIsNone(self.index.document(5))


class LookupTest(unittest.TestCase):
    def setUp(self):
        self.index = make_index(3, segment_size=2)

    def test_positions(self):
        self.assertEqual(self.index.positions("common", 3), (1,))
        self.assertEqual(self.index.positions("common", 9), ())

    def test_document(self):
        self.assertEqual(self.index.document(3).text, "word3 common")
        self.assertIsNone(self.index.document(9))

    def test_ids(self):
        self.assertEqual(self.index.ids(), [1, 2, 3])
        self.assertEqual(self.index.ids("word3"), [3])
        self.assertEqual(self.index.ids("cow"), [])

    def test_terms(self):
        self.assertEqual(self.index.terms(), ["common", "word1", "word2", "word3"])
        self.assertEqual(self.index.terms("word"), ["word1", "word2", "word3"])

    def test_a_number_of_terms(self):
        self.assertEqual(self.index.terms("word", 2), ["word1", "word2"])
        self.assertEqual(self.index.terms("word", 0), [])

    def test_average_length(self):
        self.assertEqual(self.index.average_length, 2)
        self.index.add("a b c d e f")
        self.assertEqual(self.index.average_length, 2.5 + 0.25)

    def test_an_empty_index_has_no_average(self):
        self.assertIsNone(Index().average_length)


class SaveTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "index.jsonl"

    def test_save_and_open(self):
        index = make_index(3, segment_size=2)
        index.delete(2)
        index.save(self.path)
        again = Index.open(self.path)
        self.assertEqual(again.ids(), [1, 3])
        self.assertEqual(again.positions("common", 3), (1,))

    def test_ids_go_on_after_opening(self):
        make_index(3).save(self.path)
        self.assertEqual(Index.open(self.path).add("fourth"), 4)

    def test_a_missing_file_is_an_empty_index(self):
        index = Index.open(self.path)
        self.assertEqual(len(index), 0)
        self.assertEqual(index.add("first"), 1)

    def test_an_empty_index_can_be_saved(self):
        Index().save(self.path)
        self.assertEqual(Index.open(self.path).add("first"), 1)

    def test_open_with_another_analyzer(self):
        make_index(1).save(self.path)
        index = Index.open(self.path, Analyzer(stemming=False))
        index.add("dogs")
        self.assertEqual(index.ids("dogs"), [2])


if __name__ == "__main__":
    unittest.main()
