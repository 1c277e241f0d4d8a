import * as assert from "uvu/assert";
import {
  suggestionsIn,
  valueAfter,
} from "../../../../../../../core/web/console/pages/data/imports/suggestionsIn.ts";
import { suite } from "../../../../../../support/suite.ts";

suite("core/web/console/pages/data/imports/suggestionsIn", (test) => {
  test("messages of the host become changes of settings, one per alternative", () => {
    const cases: Readonly<Record<string, readonly unknown[]>> = {
      "line 3 looks like the header; set skip_rows to 1": [["skip_rows", 1]],
      "if the first row contains values, set header to false": [["header", false]],
      'it is text (line 7: "n/a"); set nulls to n/a,not known to read them as null': [
        ["nulls", ["n/a", "not known"]],
      ],
      "the order of day and month is not known; set dates to DMY or MDY": [
        ["dates", "DMY"],
        ["dates", "MDY"],
      ],
      "correct the source, set dates to DMY or YMD, or change the column's type": [
        ["dates", "DMY"],
        ["dates", "YMD"],
      ],
      "set decimal to comma or point": [
        ["decimal", "comma"],
        ["decimal", "point"],
      ],
      "set decimal to comma": [["decimal", "comma"]],
      'both "," and ";" could separate the cells; set separator to one of them': [
        ["separator", ","],
        ["separator", ";"],
      ],
      "set skip_rows to a smaller number": [],
      "set decimal and thousands": [],
      "line 2 has 3 cells; it must have 2": [],
    };
    for (const [message, expected] of Object.entries(cases))
      assert.equal(
        suggestionsIn(message).map(({ id, value }) => [id, value]),
        expected,
        message,
      );
  });

  test("a suggested string for empty values is added to the strings that the reader chose", () => {
    assert.equal(valueAfter({ id: "nulls", value: ["-", "n/a"] }, ["n/a"]), ["n/a", "-"]);
    assert.is(valueAfter({ id: "skip_rows", value: 2 }, 1), 2);
  });
});
