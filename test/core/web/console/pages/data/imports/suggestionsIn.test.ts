import * as assert from "uvu/assert";
import {
  suggestionsIn,
  valueAfter,
} from "../../../../../../../core/web/console/pages/data/imports/suggestionsIn.ts";
import { suite } from "../../../../../../support/suite.ts";

suite("core/web/console/pages/data/imports/suggestionsIn", (test) => {
  test("remedies become suggestions for the settings that the dialog has controls for", () => {
    const remedies = [
      { setting: "dates", value: "DMY" },
      { setting: "dates", value: "MDY" },
      { setting: "skip_rows" },
      { setting: "columns", value: { day: "text" } },
      "no remedy",
    ];
    assert.equal(suggestionsIn(remedies), [
      { id: "dates", value: "DMY" },
      { id: "dates", value: "MDY" },
      { id: "skip_rows", value: undefined },
    ]);
    assert.equal(suggestionsIn(undefined), []);
  });

  test("a suggested string for empty values is added to the strings that the reader chose", () => {
    assert.equal(valueAfter({ id: "nulls", value: ["-", "n/a"] }, ["n/a"]), ["n/a", "-"]);
    assert.is(valueAfter({ id: "skip_rows", value: 2 }, 1), 2);
  });
});
