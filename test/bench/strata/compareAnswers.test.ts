import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";
import { compareAnswers, compareChoice } from "./compareAnswers.ts";
import type { Cell, Question } from "./question.ts";

const question: Question = {
  name: "of the test",
  plan: { table: "f", outputs: [], grouped: false, limit: { count: 2, offset: 0 } },
  duckdb: "",
  types: ["text", "number"],
  keyCount: 1,
  isOrdered: false,
};
const ordered: Question = { ...question, isOrdered: true };
const rows: readonly (readonly Cell[])[] = [
  ["a", 1000],
  ["b", null],
];

suite("bench/strata/compareAnswers", (test) => {
  test("rows without an order meet by their keys", () => {
    assert.is(compareAnswers(rows, rows.toReversed(), question), undefined);
    assert.ok(compareAnswers(rows, rows.toReversed(), ordered));
  });

  test("a number differs from 1e-9 of its size on", () => {
    assert.is(compareAnswers(rows, [["a", 1000 + 9e-7], rows[1]!], question), undefined);
    assert.match(
      compareAnswers(rows, [["a", 1000 + 2e-6], rows[1]!], question) ?? "",
      "row 0, column 1",
    );
  });

  test("a tolerance holds for its column alone", () => {
    const loose = { ...question, tolerances: { 1: 0.1 } };
    assert.is(compareAnswers(rows, [["a", 1050], rows[1]!], loose), undefined);
    assert.ok(compareAnswers(rows, [["a", 1200], rows[1]!], loose));
    assert.ok(compareAnswers(rows, [["a", 1050], rows[1]!], question));
  });

  test("null is not 0, a missing row and an unknown row are differences", () => {
    assert.ok(compareAnswers(rows, [rows[0]!, ["b", 0]], question));
    assert.is(compareAnswers(rows, [rows[0]!], question), "1 rows instead of 2");
    assert.match(compareAnswers(rows, [rows[0]!, ["c", null]], question) ?? "", "unexpected row");
  });

  test("a row that came twice does not stand for one that is missing", () => {
    assert.ok(compareAnswers(rows, [rows[0]!, rows[0]!], question));
  });

  test("a choice takes its rows from all rows, each at most as often as it is there", () => {
    const all: Cell[][] = [
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ];
    const whole = { ...question, keyCount: 2 };
    assert.is(compareChoice(all, [all[2]!, all[0]!], whole), undefined);
    assert.ok(compareChoice(all, [all[0]!, all[0]!], whole));
    assert.ok(compareChoice(all, [all[0]!, ["b", 4]], whole));
    assert.ok(compareChoice(all, [all[0]!], whole));
  });
});
