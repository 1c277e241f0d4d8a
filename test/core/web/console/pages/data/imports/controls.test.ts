import * as assert from "uvu/assert";
import { ApiFailure } from "../../../../../../../core/web/console/api/index.ts";
import {
  blamedIn,
  inReadersWords,
} from "../../../../../../../core/web/console/pages/data/imports/blamedIn.ts";
import {
  controls,
  controlsFor,
} from "../../../../../../../core/web/console/pages/data/imports/controls.ts";
import { readSettings } from "../../../../../../../plugins/rows/formats/settings.ts";
import { suite } from "../../../../../../support/suite.ts";

suite("core/web/console/pages/data/imports/controls", (test) => {
  test("the readers of files accept every value that a control offers", () => {
    for (const { id, form } of controls)
      for (const value of form.kind === "choice" ? form.values : [])
        assert.not.throws(
          // A point between thousands needs another decimal mark.
          () =>
            readSettings({
              properties: {
                decimal: "comma",
                [id]: value === "comma" && id === "thousands" ? "none" : value,
              },
            }),
          `${id}=${value}`,
        );
  });

  test("a workbook has controls for its sheets, and a Parquet file has none", () => {
    const idsFor = (kind: Parameters<typeof controlsFor>[0]) =>
      controlsFor(kind).map(({ id }) => id);
    assert.ok(idsFor("workbook").includes("sheet"));
    assert.not.ok(idsFor("delimited").includes("sheet"));
    assert.equal(idsFor("columns"), []);
  });

  test("a refusal marks the controls of its remedies", () => {
    const remedies = [{ setting: "skip_rows", value: 1 }, { setting: "separator" }];
    const refusal = new ApiFailure(422, { message: "line 2 has 4 cells", remedies });
    assert.equal([...blamedIn(refusal)], ["separator", "skip_rows"]);
    assert.is(blamedIn(undefined).size, 0);
    assert.is(blamedIn(new ApiFailure(422, { message: "set separator" })).size, 0);
  });

  test("a refusal names controls by their labels instead of their names in the API", () => {
    assert.is(
      inReadersWords("set skip_rows to 1; the rows are fine"),
      "set “Rows to skip” to 1; the rows are fine",
    );
    assert.is(
      inReadersWords("properties.options.file.nulls must be a list"),
      "“Also empty” must be a list",
    );
  });
});
