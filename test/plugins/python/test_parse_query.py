"""Tests of manifold_plugin.parse_query."""

import unittest

from manifold_plugin import And, ColumnFilter, GroupLimit, Limit, Or, Order, OutputFilter, QueryColumn
from manifold_plugin.errors import PluginError
from manifold_plugin.parse_query import parse_query

QUERY = {"id": "trips", "columns": [{"column_id": "city"}], "filters": [], "options": {"pushdown": False}}
TEST = {"column_id": "km", "expression": ">", "value": [1]}


class ParseQuery(unittest.TestCase):
    def refusal(self, **members):
        body = {name: value for name, value in {**QUERY, **members}.items() if value is not ...}
        with self.assertRaises(PluginError) as caught:
            parse_query(body)
        self.assertEqual(caught.exception.status, 400)
        return caught.exception.message

    def test_every_clause_of_a_query_is_read(self):
        query = parse_query(
            {
                "id": "trips",
                "columns": [
                    {"column_id": "at", "level": "month", "type": "datetime"},
                    {"column_id": "km", "aggregation": "percentile", "fraction": 0.5},
                    {"column_id": "km", "bin": {"width": 10, "origin": 0}},
                ],
                "filters": [{"and": [TEST, {"or": [{"column_id": "city", "expression": "in", "value": ["a", None]}]}]}],
                "having": [{"column": 1, "expression": "is not null"}],
                "order": [{"column": 1, "order": "desc"}],
                "groupLimit": {"columns": [0, 2], "by": 3, "offset": 1},
                "limit": {"by": 10},
                "options": {"pushdown": True, "timezone_id": "Europe/Brussels", "query_timeout": 1000},
                "user": {"id": "u"},
            }
        )
        self.assertEqual(query.columns[0], QueryColumn("at", level="month", type="datetime"))
        self.assertEqual(query.columns[1].fraction, 0.5)
        self.assertEqual(query.columns[2].bin.width, 10)
        test = ColumnFilter("km", ">", (1,))
        listed = ColumnFilter("city", "in", ("a", None))
        self.assertEqual(query.filters, (And((test, Or((listed,)))),))
        self.assertEqual(query.having, (OutputFilter(1, "is not null"),))
        self.assertEqual(query.order, (Order(1, True),))
        self.assertEqual(query.group_limit, GroupLimit((0, 2), 3, 1))
        self.assertEqual(query.limit, Limit(10, 0))
        self.assertEqual((query.pushdown, query.timezone_id, query.timeout_ms), (True, "Europe/Brussels", 1000))

    def test_missing_members_are_named(self):
        for name in ("id", "columns", "filters", "options"):
            self.assertIn(f"/{name} is required", self.refusal(**{name: ...}))
        self.assertIn("/options/pushdown is required", self.refusal(options={}))

    def test_unknown_members_are_named_at_every_level(self):
        self.assertIn('"filter"', self.refusal(filter=[]))
        self.assertIn('/options has the unknown member "zone"', self.refusal(options={"pushdown": False, "zone": "x"}))
        self.assertIn('/columns/0 has the unknown member "agg"', self.refusal(columns=[{"column_id": "a", "agg": "sum"}]))
        self.assertIn('/filters/0/and/0 has', self.refusal(filters=[{"and": [{**TEST, "not": True}]}]))
        self.assertIn("/filters/0 has", self.refusal(filters=[{"and": [], "or": []}]))
        self.assertIn("/limit has", self.refusal(limit={"by": 1, "skip": 2}))
        self.assertIn("/order/0 has", self.refusal(order=[{"column": 0, "order": "asc", "nulls": "last"}]))

    def test_wrong_types_are_named_with_what_is_allowed(self):
        for members, words in (
            ({"id": 1}, "/id must be a string, not a number"),
            ({"columns": {}}, "/columns must be an array, not an object"),
            ({"columns": ["city"]}, "/columns/0 must be an object, not a string"),
            ({"columns": [{"column_id": "a", "level": "decade"}]}, "/columns/0/level must be one of year"),
            ({"columns": [{"column_id": "a", "aggregation": "mode"}]}, "/columns/0/aggregation must be one of sum"),
            ({"columns": [{"column_id": "a", "type": "text"}]}, "/columns/0/type must be one of numeric"),
            ({"columns": [{"column_id": "a", "fraction": 2}]}, "/columns/0/fraction must be from 0 to 1"),
            ({"columns": [{"column_id": "a", "bin": {"width": 0, "origin": 0}}]}, "/columns/0/bin/width must be"),
            ({"filters": None}, "/filters must be an array, not null"),
            ({"filters": [{**TEST, "expression": "~"}]}, "/filters/0/expression must be one of ="),
            ({"filters": [{**TEST, "value": 1}]}, "/filters/0/value must be an array, not a number"),
            ({"filters": [{**TEST, "value": [True]}]}, "/filters/0/value/0 must be a string, a number or null"),
            ({"filters": [{**TEST, "value": [{}]}]}, "/filters/0/value/0 must be"),
            ({"filters": [{"or": {}}]}, "/filters/0/or must be an array"),
            ({"having": [{"column": 1, "expression": "is null"}]}, "/having/0/column must be an index"),
            ({"having": [{"column": 0.5, "expression": "is null"}]}, "/having/0/column must be a whole number"),
            ({"order": [{"column": 0, "order": "up"}]}, "/order/0/order must be one of asc, desc"),
            ({"order": [{"column": -1, "order": "asc"}]}, "/order/0/column must be a whole number"),
            ({"groupLimit": {"columns": [], "by": 1}}, "/groupLimit/columns must list at least one column"),
            ({"groupLimit": {"columns": [5], "by": 1}}, "/groupLimit/columns/0"),
            ({"limit": {"by": -1}}, "/limit/by must be a whole number"),
            ({"limit": {"by": True}}, "/limit/by must be a number, not a boolean"),
            ({"options": {"pushdown": "yes"}}, "/options/pushdown must be true or false, not a string"),
        ):
            self.assertIn(words, self.refusal(**members))

    def test_the_number_of_values_must_fit_the_operator(self):
        self.assertIn("one value for the operator >", self.refusal(filters=[{**TEST, "value": []}]))
        self.assertIn("not 2", self.refusal(filters=[{**TEST, "value": [1, 2]}]))
        self.assertIn("absent", self.refusal(filters=[{"column_id": "a", "expression": "is null", "value": [1]}]))
        self.assertIn("a list", self.refusal(filters=[{"column_id": "a", "expression": "in"}]))

    def test_filters_deeper_than_64_levels_are_refused(self):
        def nested(depth):
            tree = TEST
            for _ in range(depth):
                tree = {"and": [tree]}
            return [tree]

        self.assertEqual(len(parse_query({**QUERY, "filters": nested(63)}).filters), 1)
        self.assertIn("64 levels", self.refusal(filters=nested(64)))
