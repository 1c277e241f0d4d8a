"""Tests of manifold_plugin.plugin and of the answers of plugins."""

import unittest
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

from manifold_plugin import Answer, Call, Column, Dataset, Plugin, PluginError
from manifold_plugin.instants import read_instant

COLUMNS = [Column("city", "hierarchy"), Column("km", "numeric"), Column("at", "datetime")]
TRIPS = Dataset("trips", COLUMNS, name={"en": "Trips", "nl": "Ritten"})
BODY = {"id": "trips", "columns": [{"column_id": "km"}], "filters": [], "options": {"pushdown": False}}


def rows_plugin(*rows):
    return Plugin(datasets=[TRIPS], rows=lambda call, dataset: rows)


class Definitions(unittest.TestCase):
    def test_wrong_definitions_fail_at_once_with_the_place(self):
        def query(call, dataset, query):
            return []

        for make, words in (
            (lambda: Plugin(datasets=[TRIPS]), "one of the functions rows and query"),
            (lambda: Plugin(datasets=[TRIPS], rows=query, query=query), "one of the functions rows and query"),
            (lambda: Plugin(datasets=[TRIPS], rows=query, capabilities={"projection": True}), "must not have capabilities"),
            (lambda: Plugin(datasets=[TRIPS, TRIPS], rows=query), "'trips'"),
            (lambda: Plugin(datasets=[TRIPS], query=query, capabilities={"projections": True}), "'projections'"),
            (lambda: Plugin(datasets=[TRIPS], query=query, capabilities={"limit": True}), "needs capabilities.projection"),
            (
                lambda: Plugin(datasets=[TRIPS], query=query, capabilities={"projection": True, "groupLimit": True}),
                "needs capabilities.order",
            ),
            (
                lambda: Plugin(
                    datasets=[TRIPS],
                    query=query,
                    capabilities={"projection": True, "filters": {"operators": {"==": ["numeric"]}}},
                ),
                "'=='",
            ),
            (
                lambda: Plugin(
                    datasets=[TRIPS],
                    query=query,
                    capabilities={"projection": True, "grouping": {"aggregations": ["avg"], "levels": []}},
                ),
                "'avg'",
            ),
            (lambda: Dataset("a", []), "at least one column"),
            (lambda: Dataset("", COLUMNS), "non-empty"),
            (lambda: Dataset("a", [COLUMNS[0], COLUMNS[0]]), "'city'"),
            (lambda: Column("a", "text"), "numeric, datetime, hierarchy"),
            (lambda: Column("a", "numeric", subtype="date"), "currency or duration"),
            (lambda: Column("a", "numeric", narrowed={"filter": {}}), "'filter'"),
            (lambda: PluginError("PLUGIN_OOPS"), "PLUGIN_OOPS"),
            (lambda: PluginError("PLUGIN_UNKNOWN_COLUMN", "a"), "2 details"),
        ):
            with self.assertRaises(ValueError) as caught:
                make()
            self.assertIn(words, str(caught.exception))

    def test_credentials_do_not_show_in_logs(self):
        self.assertEqual(repr(Call().credentials), "Credentials(...)")


class Answers(unittest.TestCase):
    def test_a_plugin_with_rows_answers_with_all_columns(self):
        instant = datetime(2024, 1, 5, 11, 30, tzinfo=timezone(timedelta(hours=2)))
        answer = rows_plugin(["Ghent", Decimal("2.5"), instant], (True, 1, date(2024, 1, 5)), [None] * 3).answer(Call(), BODY)
        self.assertEqual(
            answer,
            {
                "rowCount": 3,
                "columns": [
                    {"type": "hierarchy", "values": ["Ghent", "true", None]},
                    {"type": "numeric", "values": [2.5, 1, None]},
                    {"type": "datetime", "values": ["2024-01-05T09:30:00.000Z", "2024-01-05T00:00:00.000Z", None]},
                ],
            },
        )

    def test_a_wrong_cell_is_named_with_its_row_and_column(self):
        for row, words in (
            ([1, float("nan"), None], 'row 1 of column "km" must be a finite number'),
            ([1, float("inf"), None], "finite"),
            ([1, "2", None], "not str"),
            ([1, True, None], "not bool"),
            ([1, 10**400, None], "finite"),
            ([1, 2, 1704412800], 'column "at" must be a datetime'),
            ([b"a", 2, None], 'column "city" must be a string, not bytes'),
            ([1, 2], "2 cells"),
        ):
            with self.assertRaises(PluginError) as caught:
                rows_plugin([None] * 3, row).answer(Call(), BODY)
            self.assertEqual(caught.exception.code, "PLUGIN_BAD_ANSWER")
            self.assertIn(words, caught.exception.message)

    def test_filters_that_are_promised_exactly_are_acknowledged(self):
        capabilities = {
            "projection": True,
            "filters": {"operators": {"=": ["numeric"]}, "superset": {"like": ["hierarchy"]}, "nested": True},
        }
        like = {"column_id": "city", "expression": "like", "value": ["a"]}
        equal = {"column_id": "km", "expression": "=", "value": [1]}
        body = {**BODY, "filters": [like, equal, {"and": [equal, like]}, {"or": []}]}
        plugin = Plugin(datasets=[TRIPS], query=lambda *_: [[1]], capabilities=capabilities)
        self.assertEqual(plugin.answer(Call(), body)["applied_filters"], [1, 3])
        own = Plugin(datasets=[TRIPS], query=lambda *_: Answer([[1]], applied=[0]), capabilities=capabilities)
        self.assertEqual(own.answer(Call(), body)["applied_filters"], [0])

    def test_a_narrowed_column_is_not_acknowledged(self):
        column = Column("km", "numeric", narrowed={"filters": {"=": "superset", "<": "none"}, "grouping": False})
        capabilities = {
            "projection": True,
            "filters": {"operators": {"=": ["numeric"], "<": ["numeric"]}},
            "grouping": {"aggregations": ["count"], "levels": []},
        }
        plugin = Plugin(datasets=[Dataset("trips", [column])], query=lambda *_: [[1]], capabilities=capabilities)
        test = {"column_id": "km", "expression": "=", "value": [1]}
        self.assertEqual(plugin.answer(Call(), {**BODY, "filters": [test]})["applied_filters"], [])
        for body in (
            {**BODY, "filters": [{**test, "expression": "<"}]},
            {**BODY, "options": {"pushdown": True}},
        ):
            with self.assertRaises(PluginError) as caught:
                plugin.answer(Call(), body)
            self.assertEqual(caught.exception.code, "PLUGIN_NOT_OFFERED")

    def test_every_clause_without_a_promise_is_refused(self):
        test = {"column_id": "km", "expression": "=", "value": [1]}
        plugin = Plugin(
            datasets=[TRIPS],
            query=lambda *_: self.fail("the plugin was called"),
            capabilities={
                "projection": True,
                "filters": {"operators": {"=": ["numeric"], "in": ["numeric"]}, "listLength": 2},
                "grouping": {"aggregations": ["sum"], "levels": ["year"]},
            },
        )
        at = {"column_id": "at", "level": "year"}
        for members, words in (
            ({"filters": [{**test, "column_id": "city", "value": ["a"]}]}, "the operator = on hierarchy"),
            ({"filters": [{"and": [test]}]}, "nested filters"),
            ({"filters": [{**test, "expression": "in", "value": [1, 2, 3]}]}, "the operator in"),
            ({"filters": [{"column_id": "at", "expression": "=", "value": ["2024"], "level": "year"}]}, "the operator ="),
            ({"having": [{"column": 0, "expression": "is null"}]}, "having"),
            ({"order": [{"column": 0, "order": "asc"}]}, "order"),
            ({"groupLimit": {"columns": [0], "by": 1}}, "groupLimit"),
            ({"limit": {"by": 1}}, "limit"),
            ({"columns": [{"column_id": "km", "aggregation": "max"}]}, "the aggregation max"),
            ({"columns": [{"column_id": "km", "bin": {"width": 1, "origin": 0}}]}, "bins"),
            ({"columns": [at]}, "the level year in this column"),
            ({"columns": [{**at, "level": "week"}], "options": {"pushdown": True}}, "the level week"),
            ({"columns": [at], "options": {"pushdown": True, "timezone_id": "Asia/Tokyo"}}, "time zone Asia/Tokyo"),
            ({"joins": [{}]}, "joins"),
            ({"derived": [{}]}, "derived columns"),
        ):
            with self.assertRaises(PluginError, msg=words) as caught:
                plugin.answer(Call(), {**BODY, **members})
            self.assertEqual(caught.exception.status, 501, words)
            self.assertIn(words, caught.exception.message)

    def test_unknown_datasets_and_columns_are_refused(self):
        plugin = Plugin(datasets=[TRIPS], query=lambda *_: [], capabilities={"projection": True})
        for members, code in (
            ({"id": "none"}, "PLUGIN_UNKNOWN_DATASET"),
            ({"columns": [{"column_id": "none"}]}, "PLUGIN_UNKNOWN_COLUMN"),
            ({"columns": [{"column_id": "*"}]}, "PLUGIN_UNKNOWN_COLUMN"),
        ):
            with self.assertRaises(PluginError) as caught:
                plugin.answer(Call(), {**BODY, **members})
            self.assertEqual(caught.exception.code, code)

    def test_datasets_may_depend_on_the_credentials(self):
        plugin = Plugin(
            datasets=lambda call: [TRIPS] if call.credentials.token == "a" else [], rows=lambda call, dataset: []
        )
        self.assertEqual(plugin.list_datasets(Call()), [])
        with self.assertRaises(PluginError):
            plugin.answer(Call(), BODY)


class Instants(unittest.TestCase):
    def test_strings_are_read_as_the_host_reads_them(self):
        for text, instant in (
            ("2024-01-05", "2024-01-05T00:00:00.000Z"),
            ("2024-01-05 09:30", "2024-01-05T09:30:00.000Z"),
            ("2024-01-05T09:30:00.1234567Z", "2024-01-05T09:30:00.123Z"),
            ("2024-01-05T09:30:00,5+02", "2024-01-05T07:30:00.500Z"),
            ("2024-01-05T00:30:00 -0130", "2024-01-05T02:00:00.000Z"),
            ("0001-01-01", "0001-01-01T00:00:00.000Z"),
        ):
            self.assertEqual(read_instant(text), instant)
        for text in ("2024-02-30", "2024-01-05T24:00", "2024-1-5", "now", "", "٢٠٢٤-01-05", "2024-01-05T09:30:00+99:00"):
            self.assertIsNone(read_instant(text), text)
