import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { testFilesFor } from "./testFilesFor.ts";

const importing = (...specifiers: string[]) =>
  specifiers.map((specifier) => `import "${specifier}";\n`).join("");
const sources = new Map([
  ["core/a/sum.ts", ""],
  ["core/a/index.ts", importing("./sum.ts")],
  ["core/host.ts", importing("./a/index.ts")],
  ["test/core/a/sum.test.ts", importing("../../../core/a/sum.ts")],
  ["test/core/a/other.test.ts", importing("../../../core/a/index.ts")],
  ["test/core/a/unrelated.test.ts", ""],
  ["test/core/b/direct.test.ts", importing("../../../core/a/sum.ts")],
  ["test/core/b/host.test.ts", importing("../../../core/host.ts")],
  ["test/core/b/long.test.ts", importing("../../../core/host.ts")],
]);
const times = {
  "core/a/sum.test.ts": 5_000,
  "core/a/other.test.ts": 100,
  "core/a/unrelated.test.ts": 1,
  "core/b/direct.test.ts": 300,
  "core/b/host.test.ts": 200,
  "core/b/long.test.ts": 900,
};

suite("test/mutants/testFilesFor", (test) => {
  test("a source's nearest tests are its mirror, then importers in the same folder, then importers by distance", () => {
    const { near } = testFilesFor({ sources, times, nearMs: 1_000 });
    assert.equal(near("core/a/sum.ts"), [
      "core/a/sum.test.ts",
      "core/a/other.test.ts",
      "core/b/direct.test.ts",
      "core/b/host.test.ts",
    ]);
  });

  test("a source that no test file imports has no nearest tests", () => {
    const { near } = testFilesFor({ sources, times, nearMs: 1_000 });
    assert.equal(near("core/c.ts"), []);
  });

  test("all test files are listed, the fastest first", () => {
    const { all } = testFilesFor({ sources, times, nearMs: 1_000 });
    assert.is(all[0], "core/a/unrelated.test.ts");
    assert.is(all.at(-1), "core/a/sum.test.ts");
    assert.is(all.length, 6);
  });
});
