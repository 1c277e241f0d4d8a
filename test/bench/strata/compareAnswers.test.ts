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
  test("without an order, the rows of two answers are matched by their key columns", () => {
    assert.is(compareAnswers(rows, rows.toReversed(), query), undefined);
    assert.ok(compareAnswers(rows, rows.toReversed(), ordered));
  });

  test("two numbers count as different if their relative difference exceeds 1e-9", () => {
    assert.is(compareAnswers(rows, [["a", 1000 + 9e-7], rows[1]!], query), undefined);
    assert.match(
      compareAnswers(rows, [["a", 1000 + 2e-6], rows[1]!], query) ?? "",
      "row 0, column 1",
    );
  });

  test("a tolerance for one column applies to no other column", () => {
    const loose = { ...query, tolerances: { 1: 0.1 } };
    assert.is(compareAnswers(rows, [["a", 1050], rows[1]!], loose), undefined);
    assert.ok(compareAnswers(rows, [["a", 1200], rows[1]!], loose));
    assert.ok(compareAnswers(rows, [["a", 1050], rows[1]!], query));
  });

  test("a null instead of 0, a missing row and an additional row each count as a difference", () => {
    assert.ok(compareAnswers(rows, [rows[0]!, ["b", 0]], query));
    assert.is(compareAnswers(rows, [rows[0]!], query), "1 rows instead of 2");
    assert.match(compareAnswers(rows, [rows[0]!, ["c", null]], query) ?? "", "unexpected row");
  });

  test("an answer that repeats one row and lacks another counts as different", () => {
    assert.ok(compareAnswers(rows, [rows[0]!, rows[0]!], query));
  });

  test("if a limit permits several sets of rows, any of them counts as equal, unless a row is repeated or not in the data", () => {
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
