import * as assert from "uvu/assert";
import { cellWriter } from "../../../../../core/web/console/questions/index.ts";
import { readerLocale } from "../../../../../core/web/console/language/index.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/console/questions/cellWriter", (test) => {
  test("a value is written in the format of its column and the reader's language", () => {
    const number = cellWriter({ type: "numeric", subtype: null, format: ",.1f" });
    assert.is(number(1234.56), (1234.6).toLocaleString(readerLocale));
    const date = cellWriter({ type: "datetime", subtype: "date", format: null });
    const text = date("2025-05-02T00:00:00.000Z");
    assert.match(text, /2025/);
    assert.not.match(text, /T00:00|Z$/);
  });

  test("a missing value is written as nothing", () => {
    const text = cellWriter({ type: "hierarchy", subtype: null, format: null });
    assert.is(text(null), "");
    assert.is(text("north"), "north");
  });
});
