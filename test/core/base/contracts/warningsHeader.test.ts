import * as assert from "uvu/assert";
import { warningsHeader } from "../../../../core/base/index.ts";
import { suite } from "../../../support/suite.ts";

suite("core/base/contracts/warningsHeader", (test) => {
  test("warnings are a JSON array in ASCII, and no warnings are no header", () => {
    assert.equal(warningsHeader([]), {});
    assert.equal(warningsHeader(undefined), {});
    const { "X-Warnings": text = "" } = warningsHeader(["1 of 4 rows", "Größe\r\n€ \u{1f600}"]);
    assert.match(text, /^[ -~]+$/);
    assert.equal(JSON.parse(text), ["1 of 4 rows", "Größe\r\n€ \u{1f600}"]);
  });

  test("a header stays below 4,000 characters and counts the warnings that do not fit", () => {
    const warnings = Array.from({ length: 50 }, (_, at) => `${at}: ${"x".repeat(300)}`);
    const { "X-Warnings": text = "" } = warningsHeader(warnings);
    assert.ok(text.length <= 4000);
    const shown: unknown[] = JSON.parse(text);
    assert.is(shown.at(-1), `${51 - shown.length} more warnings`);
    assert.equal(shown.slice(0, -1), warnings.slice(0, shown.length - 1));
  });
});
