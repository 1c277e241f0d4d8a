import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { changedTests } from "./changedTests.ts";

suite("test/run/changedTests", (test) => {
  let top: string;
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-C", top, "-c", "user.name=t", "-c", "user.email=t@t", ...words], {
      stdio: ["ignore", "pipe", "ignore"],
    });
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(top, file)), { recursive: true });
    writeFileSync(join(top, file), text);
  };
  const commit = () => {
    git("add", "--all");
    git("commit", "--quiet", "--message", "a change");
  };
  const found = () =>
    changedTests(
      join(top, "test"),
      new Map([
        ["test/a.test.ts", `import { help } from "./support/help.ts";`],
        ["test/b.test.ts", `import { far } from "./support/far.ts";`],
        ["test/c.test.ts", ""],
        ["test/support/far.ts", `import { help } from "./help.ts";`],
        ["test/support/help.ts", ""],
      ]),
    ).files.toSorted();

  test.beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), "manifold-changed-"));
    git("init", "--quiet", "--initial-branch=main");
    for (const name of ["a", "b", "c"]) write(`test/${name}.test.ts`, `a test ${name}\n`.repeat(9));
    write("test/support/help.ts", "a helper");
    write("core/code.ts", "code");
    commit();
  });
  test.afterEach(() => rmSync(top, { recursive: true, force: true }));

  test("on the main branch, the changed tests are those of the last commit, or none for the first commit", () => {
    assert.equal(found(), []);
    write("test/a.test.ts", "another test");
    commit();
    write("test/c.test.ts", "another test");
    write("core/code.ts", "other code");
    commit();
    assert.equal(found(), ["c.test.ts"]);
  });

  test("on another branch, the changed tests are those of all commits that the main branch lacks", () => {
    git("checkout", "--quiet", "-b", "change");
    write("test/a.test.ts", "another test");
    commit();
    write("test/c.test.ts", "another test");
    commit();
    assert.equal(found(), ["a.test.ts", "c.test.ts"]);
  });

  test("editing a test helper selects the test files that import the helper, directly or through other files", () => {
    write("test/support/help.ts", "another helper");
    commit();
    assert.equal(found(), ["a.test.ts", "b.test.ts"]);
  });

  test("moved and deleted test files do not count as changed", () => {
    renameSync(join(top, "test/a.test.ts"), join(top, "test/moved.test.ts"));
    rmSync(join(top, "test/b.test.ts"));
    commit();
    assert.equal(found(), []);
  });
});
