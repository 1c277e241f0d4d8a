import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { expressionErrors } from "../../../../core/queries/expressions/expressionError.ts";
import { aggregates } from "../../../../core/queries/expressions/aggregates.ts";
import { functions } from "../../../../core/queries/expressions/functions.ts";
import { limits } from "../../../../core/queries/expressions/limits.ts";
import { suite } from "../../../support/suite.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/EXPRESSIONS.md"), "utf8");
const rowsOf = (heading: string): readonly string[] => {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section.split("\n").filter((line) => line.startsWith("| `"));
};
const shown = (aliases: readonly string[]) => aliases.map((each) => `\`${each}\``).join(", ");
const resultName = (result: string) =>
  ({ T: "the value's type", boolean: "test", numeric: "number", hierarchy: "text" })[result] ??
  result;

suite("docs/EXPRESSIONS.md", (test) => {
  test("the documentation lists exactly the functions of the language, with their aliases, results and meanings", () => {
    assert.equal(
      rowsOf("Functions"),
      functions.map(({ name, parameters, aliases, result, meaning }) => {
        const signature = `\`${name}(${parameters.join(", ")})\``;
        return `| ${signature} | ${shown(aliases)} | ${resultName(result)} | ${meaning} |`;
      }),
    );
  });

  test("the documentation lists exactly the aggregates that formulas can use", () => {
    assert.equal(
      rowsOf("Aggregates"),
      aggregates.map(({ name, parameters, aliases, result, meaning }) => {
        const signature = `\`${name}(${parameters.join(", ")})\``;
        return `| ${signature} | ${shown(aliases)} | ${resultName(result)} | ${meaning} |`;
      }),
    );
  });

  test("the documentation lists every error with its meaning", () => {
    assert.equal(
      rowsOf("Errors"),
      Object.entries(expressionErrors).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
    );
  });

  test("the documentation states every limit of expressions", () => {
    for (const bound of Object.values(limits))
      assert.ok(page.includes(bound.toLocaleString("en")), String(bound));
  });
});
