import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { drivers } from "../../../core/sources/drivers/index.ts";
import { writeDriverLocks } from "../../../deploy/npm/writeDriverLocks.ts";
import { suite } from "../../support/suite.ts";

const run = promisify(execFile);

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly integrity?: string; optional?: boolean }>
  >;
}

suite("deploy/npm/writeDriverLocks", (test) => {
  let folder: string;
  test.before(() => {
    folder = mkdtempSync(join(tmpdir(), "manifold-locks-"));
    writeDriverLocks(folder);
  });
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  const lockOf = (name: string): Lock =>
    JSON.parse(readFileSync(join(folder, name, "package-lock.json"), "utf8"));

  test("the lock file of each driver names every package with its version and hash", () => {
    for (const [name, { packageName }] of Object.entries(drivers)) {
      const { "": _, ...packages } = lockOf(name).packages;
      assert.ok(`node_modules/${packageName}` in packages, name);
      for (const [path, { version, integrity }] of Object.entries(packages))
        assert.ok(/^\d/.test(version) && integrity?.startsWith("sha512-"), path);
    }
  });

  test("the lock file of DuckDB has the binaries of every platform, and only these are optional", () => {
    const { "": _, ...packages } = lockOf("duckdb").packages;
    const binaries = Object.keys(packages).filter((path) => /node-bindings-/.test(path));
    assert.ok(binaries.length > 5, String(binaries));
    assert.ok(binaries.some((path) => path.endsWith("linux-x64-musl")));
    assert.equal(
      Object.keys(packages).filter((path) => packages[path]?.optional),
      binaries,
    );
    assert.equal(
      Object.values(lockOf("mysql").packages).filter(({ optional }) => optional),
      [],
    );
  });

  test.deep("npm accepts the lock file of each driver unchanged", async () => {
    for (const name of Object.keys(drivers))
      await run("npm", ["ci", "--dry-run", "--legacy-peer-deps", "--no-audit", "--no-fund"], {
        cwd: join(folder, name),
      });
  });
});
