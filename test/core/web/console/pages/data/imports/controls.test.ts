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

  test("a refusal marks the controls that it names in its message or its members", () => {
    const messageOnly = new ApiFailure(422, {
      message: "line 2 has 4 cells; set skip_rows to 1, or set separator",
    });
    assert.equal([...blamedIn(messageOnly)], ["separator", "skip_rows"]);
    const member = new ApiFailure(400, {
      message: "wrong",
      validation: { "properties.options.file.time_zone": ["unknown"] },
    });
    assert.equal([...blamedIn(member)], ["time_zone"]);
    assert.equal(blamedIn(undefined).size, 0);
    assert.equal(blamedIn(new ApiFailure(422, { message: "the header of the file" })).size, 0);
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
