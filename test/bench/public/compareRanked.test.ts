import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";
import type { Cell } from "../strata/benchQuery.ts";
import { compareRanked } from "./compareRanked.ts";
import type { PublicQuestion } from "./publicPart.ts";

suite("bench/public/compareRanked", (test) => {
  const question: PublicQuestion = {
    name: "top",
    table: "t",
    keys: [{ kind: "column", name: "k" }],
    measures: [{ kind: "aggregate", function: "rows" }],
    order: [{ output: 1, descending: true }],
    limit: { count: 2, offset: 0 },
  };

  test("rows that tie with the last row of a top may differ", () => {
    const top: readonly (readonly Cell[])[] = [
      ["a", 3],
      ["b", 1],
    ];
    assert.is(
      compareRanked(
        top,
        [
          ["a", 3],
          ["c", 1],
        ],
        question,
      ),
      undefined,
    );
    assert.match(
      String(
        compareRanked(
          top,
          [
            ["x", 3],
            ["b", 1],
          ],
          question,
        ),
      ),
      /x/,
    );
    assert.match(
      String(
        compareRanked(
          top,
          [
            ["a", 2],
            ["b", 1],
          ],
          question,
        ),
      ),
      /row 0/,
    );
    assert.match(String(compareRanked(top, [["a", 3]], question)), /1 rows instead of 2/);
  });
});
