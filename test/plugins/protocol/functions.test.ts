import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { functionDefinitions, type FunctionDefinition } from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/protocol/functions", (test) => {
  test("docs/PLUGINS.md lists exactly the functions in the table", () => {
    const page = readFileSync(new URL("../../../docs/PLUGINS.md", import.meta.url), "utf8");
    const section = page.split("### Functions of expressions")[1]?.split("\n## ")[0] ?? "";
    assert.deepEqual(
      section.split("\n").filter((line) => line.startsWith("| `")),
      Object.entries<FunctionDefinition>(functionDefinitions).map(([name, definition]) => {
        const { parameters, repeated = [], last = [], result, nulls, meaning } = definition;
        const more = repeated.length > 0 ? [`${repeated.join(", ")}…`] : [];
        const args = [...parameters, ...more].concat(last).join(", ");
        return `| \`${name}(${args})\` | ${result} | ${nulls === "own" ? "own" : ""} | ${meaning} |`;
      }),
    );
  });

  test("for a null argument, tests return false and other functions null, unless a rule of their own applies", () => {
    for (const [name, { result, nulls }] of Object.entries<FunctionDefinition>(functionDefinitions))
      if (nulls !== "own") assert.equal(nulls, result === "boolean" ? "false" : "null", name);
  });
});
