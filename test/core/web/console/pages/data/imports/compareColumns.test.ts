import * as assert from "uvu/assert";
import { compareColumns } from "../../../../../../../core/web/console/pages/data/imports/compareColumns.ts";
import { suite } from "../../../../../../support/suite.ts";

suite("core/web/console/pages/data/imports/compareColumns", (test) => {
  const column = (sourceName: string, type: string, name = sourceName) => ({
    sourceName,
    name,
    type,
  });
  const target = {
    columns: [
      column("day", "datetime"),
      column("city", "hierarchy", "Town"),
      column("km", "numeric"),
    ],
  };

  test("columns match by the name in the file, even if the dataset shows another name", () => {
    const columns = [
      { name: "km", type: "numeric" },
      { name: "city", type: "hierarchy" },
      { name: "day", type: "datetime" },
    ];
    assert.equal(compareColumns(columns, target), { added: [], missing: [], retyped: [] });
  });

  test("new, missing and retyped columns are told apart", () => {
    const columns = [
      { name: "km", type: "hierarchy" },
      { name: "Town", type: "hierarchy" },
      { name: "day", type: "datetime" },
    ];
    assert.equal(compareColumns(columns, target), {
      added: ["Town"],
      missing: ["Town"],
      retyped: [{ name: "km", inFile: "hierarchy", inDataset: "numeric" }],
    });
  });
});
