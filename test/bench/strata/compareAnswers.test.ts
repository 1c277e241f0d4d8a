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
  test("rows without an order are matched by their keys", () => {
    assert.is(compareAnswers(rows, rows.toReversed(), query), undefined);
    assert.ok(compareAnswers(rows, rows.toReversed(), ordered));
  });

  test("numbers differ if they are more than 1e-9 of their size apart", () => {
    assert.is(compareAnswers(rows, [["a", 1000 + 9e-7], rows[1]!], query), undefined);
    assert.match(
      compareAnswers(rows, [["a", 1000 + 2e-6], rows[1]!], query) ?? "",
      "row 0, column 1",
    );
  });

  test("a tolerance applies only to its own column", () => {
    const loose = { ...query, tolerances: { 1: 0.1 } };
    assert.is(compareAnswers(rows, [["a", 1050], rows[1]!], loose), undefined);
    assert.ok(compareAnswers(rows, [["a", 1200], rows[1]!], loose));
    assert.ok(compareAnswers(rows, [["a", 1050], rows[1]!], query));
  });

  test("null differs from 0, and missing and unknown rows are differences", () => {
    assert.ok(compareAnswers(rows, [rows[0]!, ["b", 0]], query));
    assert.is(compareAnswers(rows, [rows[0]!], query), "1 rows instead of 2");
    assert.match(compareAnswers(rows, [rows[0]!, ["c", null]], query) ?? "", "unexpected row");
  });

  test("a repeated row does not replace a missing one", () => {
    assert.ok(compareAnswers(rows, [rows[0]!, rows[0]!], query));
  });

  test("a choice may contain any of the rows, each at most as often as it occurs", () => {
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
