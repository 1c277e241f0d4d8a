import * as assert from "uvu/assert";
import { detectForms } from "../../../../plugins/rows/formats/detectForms.ts";
import { foundSettings } from "../../../../plugins/rows/formats/foundSettings.ts";
import { readSettings } from "../../../../plugins/rows/formats/settings.ts";
import { suite } from "../../../support/suite.ts";

suite("plugins/rows/formats/foundSettings", (test) => {
  const settings = readSettings({ properties: {} });
  const found = (separator: string, ...columns: readonly (readonly string[])[]) =>
    foundSettings({
      settings,
      separator,
      encoding: "utf-8",
      forms: detectForms(columns, { settings, separator }),
    });

  test("settings name the separator, and the forms on which all columns agree", () => {
    assert.equal(found(";", ["31.01.2024"], ["1.200,50", "3"], ["a"]), {
      separator: "semicolon",
      encoding: "utf-8",
      header: true,
      skip_rows: 0,
      decimal: "comma",
      dates: "DMY",
    });
    assert.is(found("^", ["a"])["separator"], "^");
  });

  test("forms that differ between columns, or that no value shows, are left out", () => {
    const mixed = found(";", ["1,5"], ["2.5"], ["31/01/2024"], ["01/31/2024"]);
    assert.equal([mixed["decimal"], mixed["dates"]], [undefined, undefined]);
    const bare = found(";", ["1"], ["01/02/2024"]);
    assert.equal([bare["decimal"], bare["dates"]], [undefined, undefined]);
  });

  test("the readers of files accept every setting that is found", () => {
    for (const separator of [",", ";", "\t", "|", "^"])
      assert.not.throws(() =>
        readSettings({ properties: found(separator, ["1,5"], ["31/01/2024"]) }),
      );
  });
});
