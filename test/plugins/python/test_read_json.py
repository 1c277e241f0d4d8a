"""Tests of manifold_plugin.read_json."""

import unittest

from manifold_plugin.errors import PluginError
from manifold_plugin.read_json import read_json


class ReadJson(unittest.TestCase):
    def refusal(self, text):
        with self.assertRaises(PluginError) as caught:
            read_json(text)
        self.assertEqual(caught.exception.code, "PLUGIN_MALFORMED")
        return caught.exception.message

    def test_an_empty_body_is_an_empty_object(self):
        self.assertEqual(read_json(b""), {})
        self.assertEqual(read_json(b" \n"), {})

    def test_an_object_is_read_with_its_members(self):
        self.assertEqual(read_json('{"a": [1, 2.5, "é", null, true]}'.encode()), {"a": [1, 2.5, "é", None, True]})

    def test_other_json_is_refused(self):
        for text in (b"[]", b'"a"', b"1", b"null"):
            self.assertIn("JSON object", self.refusal(text))

    def test_text_that_is_not_json_is_refused(self):
        for text in (b"{", b"{'a': 1}", b'{"a": 1,}', b'{"a": \xff}', b'{"a": 1} x', b"\x00", b'{"a": "b\n"}'):
            self.assertIn("JSON in UTF-8", self.refusal(text))

    def test_numbers_that_json_does_not_have_are_refused(self):
        for name in ("NaN", "Infinity", "-Infinity"):
            self.assertIn(name, self.refusal(f'{{"a": {name}}}'.encode()))

    def test_numbers_beyond_doubles_are_refused(self):
        for number in ("1e999", "-1e999", "9" * 400, "9" * 5000, "9" * 1_000_000):
            self.assertIn("doubles", self.refusal(f'{{"a": {number}}}'.encode()))

    def test_deep_values_are_refused(self):
        for depth in (401, 1000, 100_000):
            for opening, closing in (("[", "]"), ('{"a":', "}")):
                text = '{"a":' + opening * depth + "1" + closing * depth + "}"
                self.assertIn("deeper", self.refusal(text.encode()))
            self.assertIn("deeper", self.refusal(("[" * depth).encode()))

    def test_brackets_in_strings_do_not_count_as_depth(self):
        text = "[" * 1000 + '\\"{'
        self.assertEqual(read_json(f'{{"a": "{text}"}}'.encode())["a"], "[" * 1000 + '"{')

    def test_large_bodies_of_any_shape_take_linear_time(self):
        for text in (
            b'"' + b'\\"' * 300_000,
            b'{"a": "' + b'\\\\' * 300_000 + b'"',
            b'{"a": "' + b"x" * 1_000_000 + b'"',
            b'{"a": [' + b"[]," * 50_000 + b"[]",
            b'"' * 300_001,
        ):
            self.assertIn("JSON", self.refusal(text))
        members = ",".join(f'"m{at}": 1' for at in range(20_000))
        self.assertIn('"m19999" occurs twice', self.refusal(f'{{{members}, "m19999": 1}}'.encode()))

    def test_repeated_members_are_refused(self):
        self.assertIn('"id" occurs twice', self.refusal(b'{"id": "a", "id": "b"}'))

    def test_halves_of_surrogate_pairs_are_refused(self):
        self.assertIn("Unicode", self.refusal(b'{"a": ["\\ud800"]}'))
        self.assertIn("Unicode", self.refusal(b'{"\\udfff": 1}'))
        self.assertEqual(read_json(b'{"a": "\\ud83d\\ude00"}'), {"a": "😀"})
