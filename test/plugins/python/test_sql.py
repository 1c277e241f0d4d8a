"""Tests of manifold_plugin.sql and manifold_plugin.sqlite."""

import sqlite3
import unittest

from manifold_plugin import And, Call, Column, ColumnFilter, Dataset, Or, Plugin, PluginError, Query, QueryColumn
from manifold_plugin.sql import Dialect, Fragment, Table, select, where
from manifold_plugin.sqlite import SQLITE, add_functions, connect

TRIPS = Dataset("trips", [Column("city", "hierarchy"), Column("km", "numeric"), Column("at", "datetime")])
TABLE = Table(TRIPS)
STANDARD = Dialect()


class Rendering(unittest.TestCase):
    filters = [
        Or((ColumnFilter("km", ">", (5,)), And((ColumnFilter("city", "in", ("50%", None)),)))),
        ColumnFilter("city", "!=", ("a'b",)),
    ]

    def test_values_are_bound_in_every_paramstyle(self):
        fragment = where(self.filters, TABLE, STANDARD)
        for style, marks in (
            ("qmark", ["?", "?", "?"]),
            ("numeric", [":1", ":2", ":3"]),
            ("named", [":p1", ":p2", ":p3"]),
            ("format", ["%s", "%s", "%s"]),
            ("pyformat", ["%(p1)s", "%(p2)s", "%(p3)s"]),
        ):
            text, values = fragment.render(style)
            self.assertEqual(
                text,
                f'(("km" > {marks[0]} or (("city" in ({marks[1]}) or "city" is null)))'
                f' and ("city" is null or "city" <> {marks[2]}))',
            )
            expected = (5.0, "50%", "a'b")
            if style in ("named", "pyformat"):
                self.assertEqual(values, dict(zip(("p1", "p2", "p3"), expected)))
            else:
                self.assertEqual(values, expected)

    def test_percent_signs_are_doubled_where_the_driver_reads_them(self):
        fragment = Fragment.sql("a % 2 = ") + Fragment.bound(1)
        self.assertEqual(fragment.render("format"), ("a %% 2 = %s", (1,)))
        self.assertEqual(fragment.render("qmark"), ("a % 2 = ?", (1,)))

    def test_names_are_quoted(self):
        dataset = Dataset('a"b', [Column('c"; drop table x', "numeric")])
        query = Query('a"b', (QueryColumn('c"; drop table x'),))
        text, _ = select(query, Table(dataset), STANDARD).render()
        self.assertEqual(text, 'select "c""; drop table x" as c0 from "a""b" where (1 = 1)')

    def test_a_value_of_the_wrong_type_is_refused(self):
        for column, value in (("km", "5"), ("city", 5), ("at", "yesterday"), ("at", 5)):
            with self.assertRaises(PluginError) as caught:
                where([ColumnFilter(column, "=", (value,))], TABLE, STANDARD)
            self.assertEqual(caught.exception.code, "PLUGIN_INVALID")

    def test_unknown_columns_are_refused(self):
        with self.assertRaises(PluginError) as caught:
            where([ColumnFilter("none", "is null")], TABLE, STANDARD)
        self.assertEqual(caught.exception.code, "PLUGIN_UNKNOWN_COLUMN")

    def test_a_dialect_whose_text_ignores_case_promises_equality_as_a_superset(self):
        filters = STANDARD.capabilities()["filters"]
        self.assertEqual(filters["operators"]["="], ["numeric", "datetime"])
        self.assertEqual(filters["superset"], {"=": ["hierarchy"], "in": ["hierarchy"]})
        self.assertNotIn("grouping", STANDARD.capabilities())
        self.assertIn("grouping", SQLITE.capabilities())


class Sqlite(unittest.TestCase):
    def setUp(self):
        self.connection = sqlite3.connect(":memory:")
        self.addCleanup(self.connection.close)
        add_functions(self.connection)
        self.connection.execute("create table trips (city text collate nocase, km real, at text)")

    def fill(self, *rows):
        self.connection.executemany("insert into trips values (?, ?, ?)", rows)

    def passing(self, *filters):
        text, values = where(filters, TABLE, SQLITE).render()
        return [row[0] for row in self.connection.execute(f"select city from trips where {text} order by rowid", values)]

    def read(self, column, level=None):
        query = Query("trips", (QueryColumn(column, level=level),))
        return [row[0] for row in self.connection.execute(*select(query, TABLE, SQLITE).render())]

    def test_positive_tests_fail_for_null_and_negative_tests_pass_it(self):
        self.fill(("Ghent", 1, None), (None, 2, None), ("Lille", 3, None))
        for operator, values, expected in (
            ("=", ("Ghent",), ["Ghent"]),
            ("!=", ("Ghent",), [None, "Lille"]),
            ("=", (None,), []),
            ("!=", (None,), ["Ghent", None, "Lille"]),
            ("<", ("Lille",), ["Ghent"]),
            ("in", ("Ghent", None), ["Ghent", None]),
            ("in", (), []),
            ("in", (None,), [None]),
            ("not in", ("Ghent",), [None, "Lille"]),
            ("not in", ("Ghent", None), ["Lille"]),
            ("not in", (None,), ["Ghent", "Lille"]),
            ("not in", (), ["Ghent", None, "Lille"]),
            ("is null", (), [None]),
            ("is not null", (), ["Ghent", "Lille"]),
        ):
            self.assertEqual(self.passing(ColumnFilter("city", operator, values)), expected, (operator, values))

    def test_empty_groups_pass_everything_or_nothing(self):
        self.fill(("Ghent", 1, None))
        self.assertEqual(self.passing(And(())), ["Ghent"])
        self.assertEqual(self.passing(Or(())), [])
        self.assertEqual(self.passing(), ["Ghent"])

    def test_text_compares_by_code_point_whatever_the_collation_of_the_column(self):
        self.fill(("a", 1, None), ("A", 2, None), ("😀", 3, None), ("\uffee", 4, None))
        self.assertEqual(self.passing(ColumnFilter("city", "=", ("a",))), ["a"])
        self.assertEqual(self.passing(ColumnFilter("city", ">", ("\uffee",))), ["😀"])

    def test_searches_pass_at_least_what_simple_folding_finds(self):
        self.fill(("straße", 1, None), ("STRASSE", 2, None), ("50%", 3, None), ("x", 4, None), ("\U000e0fff", 5, None))
        self.assertEqual(self.passing(ColumnFilter("city", "like", ("SS",))), ["straße", "STRASSE", "\U000e0fff"])
        self.assertEqual(self.passing(ColumnFilter("city", "starts with", ("5",)))[0], "50%")
        self.assertEqual(self.passing(ColumnFilter("city", "ends with", ("%",)))[0], "50%")
        self.assertNotIn("x", self.passing(ColumnFilter("city", "like", ("_",))))

    def test_weeks_start_on_monday(self):
        self.fill(*[(None, None, f"2024-01-{day:02d}T12:00:00Z") for day in (1, 7, 8)], (None, None, "2023-12-31"))
        self.assertEqual(
            self.read("at", "week"),
            [f"{day}T00:00:00.000Z" for day in ("2024-01-01", "2024-01-01", "2024-01-08", "2023-12-25")],
        )

    def test_every_level_truncates_to_the_start_of_its_period(self):
        self.fill((None, None, "2024-08-14T13:14:15.678Z"))
        for level, start in (
            ("year", "2024-01-01T00:00:00.000Z"),
            ("quarter", "2024-07-01T00:00:00.000Z"),
            ("month", "2024-08-01T00:00:00.000Z"),
            ("week", "2024-08-12T00:00:00.000Z"),
            ("day", "2024-08-14T00:00:00.000Z"),
            ("hour", "2024-08-14T13:00:00.000Z"),
            ("minute", "2024-08-14T13:14:00.000Z"),
            ("second", "2024-08-14T13:14:15.000Z"),
            ("millisecond", "2024-08-14T13:14:15.678Z"),
        ):
            self.assertEqual(self.read("at", level), [start], level)

    def test_datetimes_in_every_form_that_sqlite_reads_are_equal(self):
        for text in ("2024-01-05 09:30:00", "2024-01-05T09:30:00.000Z", "2024-01-05T11:30:00+02:00"):
            self.fill((text, 1, text))
        self.fill(("now", 1, "now"), ("5", 1, "5"))
        self.assertEqual(len(self.passing(ColumnFilter("at", "=", ("2024-01-05T09:30:00.000Z",)))), 3)
        self.assertEqual(self.passing(ColumnFilter("at", "is null")), ["now", "5"])

    def test_integers_compare_as_doubles(self):
        self.connection.execute("create table numbers (n integer)")
        self.connection.execute("insert into numbers values (9007199254740993), (-9223372036854775808), ('a')")
        table = Table(Dataset("numbers", [Column("n", "numeric")]))
        text, values = where([ColumnFilter("n", "=", (2**53,))], table, SQLITE).render()
        self.assertEqual(self.connection.execute(f"select n from numbers where {text}", values).fetchall(), [(2**53 + 1,)])
        text, values = where([ColumnFilter("n", "is null")], table, SQLITE).render()
        self.assertEqual(self.connection.execute(f"select n from numbers where {text}", values).fetchall(), [("a",)])

    def test_a_sum_beyond_doubles_is_null(self):
        self.fill(("a", 1.7e308, None), ("a", 1.7e308, None))
        query = Query("trips", (QueryColumn("km", aggregation="sum"),), pushdown=True)
        self.assertEqual(self.connection.execute(*select(query, TABLE, SQLITE).render()).fetchall(), [(None,)])

    def test_a_query_without_columns_counts_its_rows(self):
        self.fill(("a", 1, None), ("b", 2, None))

        def query(call, dataset, query):
            return self.connection.execute(*select(query, TABLE, SQLITE).render())

        plugin = Plugin(datasets=[TRIPS], query=query, capabilities=SQLITE.capabilities())
        body = {"id": "trips", "columns": [], "filters": [], "options": {"pushdown": False}}
        expected = {"applied_filters": [], "columns": []}
        self.assertEqual(plugin.answer(Call(), body), {"rowCount": 2, **expected})
        grouped = {**body, "options": {"pushdown": True}}
        self.assertEqual(plugin.answer(Call(), grouped), {"rowCount": 1, **expected})
        limited = {**body, "limit": {"by": 1}}
        self.assertEqual(plugin.answer(Call(), limited), {"rowCount": 1, **expected})

    def test_too_many_values_are_refused_before_the_statement_runs(self):
        values = tuple(range(1000))
        filters = tuple(ColumnFilter("km", "in", values) for _ in range(31))
        with self.assertRaises(PluginError) as caught:
            select(Query("trips", (QueryColumn("km"),), filters), TABLE, SQLITE)
        self.assertEqual(caught.exception.code, "PLUGIN_NOT_OFFERED")

    def test_a_missing_file_is_an_error_of_the_source(self):
        with self.assertRaises(PluginError) as caught:
            connect("/no/such/file.sqlite")
        self.assertEqual(caught.exception.code, "PLUGIN_SOURCE_FAILED")
