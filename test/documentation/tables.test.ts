import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { formatNames } from "../../core/exports/index.ts";
import { aggregations } from "../../plugins/protocol/index.ts";
import { suite } from "../support/suite.ts";

const root = join(import.meta.dirname, "../..");

/** Returns the names that do not occur as inline code on a page. */
function missing(page: string, names: readonly string[]): readonly string[] {
  const text = readFileSync(join(root, "docs", page), "utf8");
  return names.filter((name) => !text.includes(`\`${name}\``) && !text.includes(`"${name}"`));
}

suite("documentation, tables", (test) => {
  test("QUERIES.md names every aggregation", () => {
    assert.equal(missing("QUERIES.md", aggregations), []);
  });

  test("EXPORTS.md names every format", () => {
    assert.equal(missing("EXPORTS.md", formatNames), []);
  });
});
