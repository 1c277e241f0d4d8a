import * as assert from "uvu/assert";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { suite } from "../support/suite.ts";
import { filesWithDeep } from "./filesWithDeep.ts";

suite("test/run/filesWithDeep", (test) => {
  const found = filesWithDeep();

  test("finds files with test.deep and files that use the strengths of layers, directly or through imports", () => {
    for (const file of ["core/cli/main", "connectors/sqlite/answers", "package"])
      assert.ok(found.has(`${file}.test.ts`), file);
  });

  test("leaves out files that are the same in both layers", () => {
    for (const file of ["layers", "core/resources/members", "engine/kernels/counting"]) {
      assert.ok(existsSync(join(import.meta.dirname, "..", `${file}.test.ts`)), file);
      assert.not.ok(found.has(`${file}.test.ts`), file);
    }
  });

  test("finds test files only", () => {
    assert.ok(found.size > 50, String(found.size));
    for (const file of found) assert.ok(existsSync(join(import.meta.dirname, "..", file)), file);
  });
});
