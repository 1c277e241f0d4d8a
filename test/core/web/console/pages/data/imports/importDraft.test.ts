import * as assert from "uvu/assert";
import {
  draftOf,
  importedPropertiesOf,
  propertiesOf,
  type ImportDraft,
} from "../../../../../../../core/web/console/pages/data/imports/importDraft.ts";
import type { Target } from "../../../../../../../core/web/console/pages/data/imports/target.ts";
import { suite } from "../../../../../../support/suite.ts";

suite("core/web/console/pages/data/imports/importDraft", (test) => {
  const file = new File(["a;b\n"], "trips.csv");
  const target: Target = {
    id: "dataset",
    name: "Trips",
    columns: [{ sourceName: "a", name: "A", type: "numeric" }],
    kept: {
      kind: "delimited",
      settings: { dates: "DMY" },
      columns: new Map([["a", { type: "number" }]]),
    },
  };
  /** Returns a draft after the preview of a file with the columns a and b. */
  const previewed = (
    given: Target | undefined,
    change: Partial<ImportDraft> = {},
  ): ImportDraft => ({
    ...draftOf(file, given),
    foundSettings: { separator: "semicolon", decimal: "comma" },
    fileColumns: [
      { name: "a", type: "number" },
      { name: "b", type: "text" },
    ],
    ...change,
  });
  const optionsOf = (properties: Readonly<Record<string, unknown>>): unknown =>
    properties["options"];

  test("a preview leaves settings and types to the host, except those that the reader chose", () => {
    const columns = new Map([
      ["a", { name: "Distance" }],
      ["b", { type: "date", format: "%d.%m.%y" }],
    ]);
    const draft = previewed(undefined, { settings: { decimal: "point" }, columns });
    assert.equal(optionsOf(propertiesOf(draft)), {
      name: { en: "trips" },
      file: { decimal: "point", columns: { b: { type: "date", format: "%d.%m.%y" } } },
    });
  });

  test("an import states the settings and the types of its preview", () => {
    const settings = { decimal: "point", nulls: ["NA", ""] };
    assert.equal(optionsOf(importedPropertiesOf(previewed(undefined, { settings }))), {
      name: { en: "trips" },
      file: {
        separator: "semicolon",
        decimal: "point",
        nulls: ["NA"],
        columns: { a: "number", b: "text" },
      },
    });
  });

  test("a file whose format states its types is imported without others", () => {
    const draft = { ...previewed(undefined), kind: "columns" as const };
    assert.not.ok(JSON.stringify(importedPropertiesOf(draft)).includes('"columns"'));
  });

  test("rows for a dataset use its kept settings, and change its columns only with consent", () => {
    const draft = previewed(target, { addsColumns: true });
    assert.equal(importedPropertiesOf(draft), {
      type: "append",
      size_bytes: 4,
      securable_id: "dataset",
      options: {
        update_metadata: true,
        file: {
          separator: "semicolon",
          decimal: "comma",
          dates: "DMY",
          columns: { a: "number", b: "text" },
        },
      },
    });
    const mapped = previewed(target, {
      mode: "replace",
      columns: new Map([["b", { name: "a" }]]),
      fileColumns: [{ name: "b", type: "text" }],
    });
    assert.equal(optionsOf(importedPropertiesOf(mapped)), {
      header: ["a"],
      file: { separator: "semicolon", decimal: "comma", dates: "DMY" },
    });
  });

  test("kept settings of another format are not used", () => {
    const workbook = new File(["x"], "trips.xlsx");
    assert.equal(draftOf(workbook, target).settings, {});
    assert.is(draftOf(workbook, target).columns.size, 0);
  });
});
