import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";
import { compareAnswers, compareChoice } from "./compareAnswers.ts";
import type { Cell, BenchQuery } from "./benchQuery.ts";

const query: BenchQuery = {
  name: "of the test",
  plan: { table: "f", outputs: [], grouped: false, limit: { count: 2, offset: 0 } },
  duckdb: "",
  types: ["text", "number"],
  keyCount: 1,
  isOrdered: false,
};
const ordered: BenchQuery = { ...query, isOrdered: true };
const rows: readonly (readonly Cell[])[] = [
  ["a", 1000],
  ["b", null],
];

suite("bench/strata/compareAnswers", (test) => {
  test("comparing two answers without an order matches their rows by the key columns", () => {
    assert.is(compareAnswers(rows, rows.toReversed(), query), undefined);
    assert.ok(compareAnswers(rows, rows.toReversed(), ordered));
  });

  test("two numbers count as different if they differ by more than 1e-9 of their size", () => {
    assert.is(compareAnswers(rows, [["a", 1000 + 9e-7], rows[1]!], query), undefined);
    assert.match(
      compareAnswers(rows, [["a", 1000 + 2e-6], rows[1]!], query) ?? "",
      "row 0, column 1",
    );
  });

  test("a tolerance for one column does not apply to the other columns", () => {
    const loose = { ...query, tolerances: { 1: 0.1 } };
    assert.is(compareAnswers(rows, [["a", 1050], rows[1]!], loose), undefined);
    assert.ok(compareAnswers(rows, [["a", 1200], rows[1]!], loose));
    assert.ok(compareAnswers(rows, [["a", 1050], rows[1]!], query));
  });

  test("null differs from 0, and missing or additional rows count as differences", () => {
    assert.ok(compareAnswers(rows, [rows[0]!, ["b", 0]], query));
    assert.is(compareAnswers(rows, [rows[0]!], query), "1 rows instead of 2");
    assert.match(compareAnswers(rows, [rows[0]!, ["c", null]], query) ?? "", "unexpected row");
  });

  test("an answer that repeats one row and lacks another differs", () => {
    assert.ok(compareAnswers(rows, [rows[0]!, rows[0]!], query));
  });

  test("an answer with a free choice may contain any rows of the larger answer, each at most as often as there", () => {
    const all: Cell[][] = [
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ];
    const whole = { ...query, keyCount: 2 };
    assert.is(compareChoice(all, [all[2]!, all[0]!], whole), undefined);
    assert.ok(compareChoice(all, [all[0]!, all[0]!], whole));
    assert.ok(compareChoice(all, [all[0]!, ["b", 4]], whole));
    assert.ok(compareChoice(all, [all[0]!], whole));
  });
});
