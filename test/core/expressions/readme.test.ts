import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { expressionErrors } from "../../../core/expressions/expressionError.ts";
import { aggregates, functions } from "../../../core/expressions/functions.ts";
import { limits } from "../../../core/expressions/limits.ts";
import {
  portableAggregates,
  portableFunctions,
} from "../../../core/expressions/portableFunctions.ts";
import { suite } from "../../support/suite.ts";

const readme = readFileSync(
  join(import.meta.dirname, "../../../core/expressions/README.md"),
  "utf8",
);
const rowsOf = (heading: string): readonly string[] => {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section.split("\n").filter((line) => line.startsWith("| `"));
};
const resultName = (result: string) =>
  ({ T: "that of the value", boolean: "test" })[result] ?? result;

suite("core/expressions/README.md", (test) => {
  test("lists every function with its aliases, result and meaning, and no other", () => {
    assert.equal(
      rowsOf("Functions"),
      functions.map(({ name, parameters, aliases, calls, meaning }) => {
        const signature = `\`${name}(${parameters.join(", ")})\``;
        const result = resultName(portableFunctions[calls].result);
        return `| ${signature} | ${aliases.join(", ")} | ${result} | ${meaning} |`;
      }),
    );
  });

  test("lists every aggregate of formulas, and no other", () => {
    assert.equal(
      rowsOf("Aggregates of formulas"),
      aggregates.map(({ name, parameters, aliases, calls, meaning }) => {
        const signature = `\`${name}(${parameters.join(", ")})\``;
        const result = resultName(portableAggregates[calls].result);
        return `| ${signature} | ${aliases.join(", ")} | ${result} | ${meaning} |`;
      }),
    );
  });

  test("lists every error with its meaning", () => {
    assert.equal(
      rowsOf("Errors"),
      Object.entries(expressionErrors).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
    );
  });

  test("tells the bounds", () => {
    for (const bound of Object.values(limits))
      assert.ok(readme.includes(bound.toLocaleString("en")), String(bound));
  });
});
