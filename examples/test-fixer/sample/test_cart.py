import unittest

from cart import cheapest, total


class CartTest(unittest.TestCase):
    def test_total_without_discount(self):
        self.assertEqual(total([10, 20]), 30)

    def test_total_with_a_discount(self):
        self.assertEqual(total([10, 20], discount=25), 22.5)

    def test_cheapest(self):
        self.assertEqual(cheapest([3, 1, 2]), 1)
        self.assertIsNone(cheapest([]))


if __name__ == "__main__":
    unittest.main()
