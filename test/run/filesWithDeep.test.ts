import * as assert from "uvu/assert";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { suite } from "../support/suite.ts";
import { filesWithDeep } from "./filesWithDeep.ts";

suite("test/run/filesWithDeep", (test) => {
  const found = filesWithDeep();

  test("test files that declare deep tests or use the layer's rounds, even through imports, count as deep", () => {
    for (const file of ["core/cli/main", "connectors/sqlite/answers", "package"])
      assert.ok(found.has(`${file}.test.ts`), file);
  });

  test("test files that run the same tests in both layers do not count as deep", () => {
    for (const file of ["layers", "core/resources/members", "engine/kernels/counting"]) {
      assert.ok(existsSync(join(import.meta.dirname, "..", `${file}.test.ts`)), file);
      assert.not.ok(found.has(`${file}.test.ts`), file);
    }
  });

  test("a file whose tests are the same in both layers, except its deep tests, only has its deep tests to run", () => {
    assert.is(found.get("core/resources/sharing/sharedPage.test.ts"), "deepTests");
    assert.is(found.get("connectors/sqlite/answers.test.ts"), "all");
  });

  test("test helpers that use the layer do not count as deep test files", () => {
    assert.ok(found.size > 50, String(found.size));
    for (const file of found.keys())
      assert.ok(existsSync(join(import.meta.dirname, "..", file)), file);
  });
});
