import * as assert from "uvu/assert";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { suite } from "../support/suite.ts";
import { filesWithDeep } from "./filesWithDeep.ts";

suite("test/run/filesWithDeep", (test) => {
  const found = filesWithDeep();

  test("a file that asks for its strength, itself or by what it imports, and one with test.deep are found", () => {
    for (const file of ["core/cli/main", "connectors/sqlite/answers", "package"])
      assert.ok(found.has(`${file}.test.ts`), file);
  });

  test("a file that is the same in both layers is not found", () => {
    for (const file of ["layers", "core/resources/members", "engine/kernels/counting"]) {
      assert.ok(existsSync(join(import.meta.dirname, "..", `${file}.test.ts`)), file);
      assert.not.ok(found.has(`${file}.test.ts`), file);
    }
  });

  test("what is found are test files", () => {
    assert.ok(found.size > 50, String(found.size));
    for (const file of found) assert.ok(existsSync(join(import.meta.dirname, "..", file)), file);
  });
});
