import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite } from "../../support/suite.ts";
import { makeSwitchable } from "./accessPath.ts";
import { accessPaths } from "./accessPaths.ts";

const operators = new URL("../../../engine/operators/", import.meta.url);

suite("bench/accessPaths/accessPaths", (test) => {
  test("for each access path in the bench, the engine's code has exactly one place that chooses the path", () => {
    for (const [index, path] of accessPaths.entries()) {
      const source = readFileSync(new URL(path.file, operators), "utf8");
      assert.match(makeSwitchable(source, path, index), new RegExp(`isOff\\(${index}\\)`));
    }
  });
});
