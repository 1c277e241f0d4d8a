import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";

const main = fileURLToPath(new URL("../../../core/cli/main.ts", import.meta.url));
const module = new URL("../../../core/cli/cacheModules.ts", import.meta.url).href;

suite("core/cli/cacheModules", (test) => {
  const home = mkdtempSync(join(tmpdir(), "manifold-cache-"));
  test.after(() => rmSync(home, { recursive: true, force: true }));
  const runIn = (cache: string, args: readonly string[]) => {
    const { NODE_COMPILE_CACHE: _given, ...environment } = process.env;
    const env = { ...environment, XDG_CACHE_HOME: cache };
    return execFileSync(process.execPath, args, { env, encoding: "utf8" });
  };
  /** A process that caches modules like the command, but loads only one module of the host. */
  const small = [
    "--input-type=module",
    "--eval",
    `const { cacheModules } = await import(${JSON.stringify(module)});
     cacheModules();
     await import("node:assert");
     console.log("1");`,
  ];

  test("the command caches compiled modules in a folder that only its user can access", () => {
    assert.match(runIn(home, [main, "--version"]), /^\d/);
    const folder = join(home, "manifold");
    assert.is(statSync(folder).mode & 0o777, 0o700);
    assert.ok(readdirSync(folder).length > 0);
  });

  test("the command neither reads nor writes a cache folder that others can write to", () => {
    const open = join(home, "open");
    mkdirSync(join(open, "manifold"), { recursive: true });
    chmodSync(join(open, "manifold"), 0o777);
    assert.match(runIn(open, small), /^\d/);
    assert.equal(readdirSync(join(open, "manifold")), []);
  });

  test("the command runs even if the cache folder cannot be created", () => {
    assert.match(runIn("/proc/nowhere", small), /^\d/);
  });
});
