import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { installPackages } from "./installPackages.ts";
import type { PackageSet } from "./packageSets.ts";

const set: PackageSet = { folder: "test/planted", brings: "a planted package", sizeMb: 1 };

/**
 * A replacement for npm. It records each call, and then installs the packages of the lock file, or fails if requested.
 */
const plantedNpm = `#!/bin/sh
echo "$@" >> "$CALLS"
[ ! -f "$CALLS.fails" ] || { echo "npm error code ENOTFOUND" >&2; exit 1; }
mkdir node_modules && cp package-lock.json node_modules/.package-lock.json
`;

suite("packages/installPackages", (test) => {
  let root: string;
  let calls: string;
  const { PATH: path } = process.env;
  const called = () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []);
  const writeLock = (integrity: string, more: object = {}) => {
    const packages = { "": { name: "planted" }, "node_modules/one": { integrity }, ...more };
    writeFileSync(join(root, set.folder, "package.json"), "{}");
    writeFileSync(join(root, set.folder, "package-lock.json"), JSON.stringify({ packages }));
  };
  const install = async () => {
    const lines: string[] = [];
    const target = await installPackages({ set, root, announce: (line) => lines.push(line) });
    assert.is(target, join(root, set.folder, "node_modules"));
    return lines;
  };
  test.beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "manifold-packages-"));
    mkdirSync(join(root, set.folder), { recursive: true });
    writeFileSync(join(root, "npm"), plantedNpm);
    chmodSync(join(root, "npm"), 0o755);
    calls = join(root, "calls");
    process.env["CALLS"] = calls;
    process.env["PATH"] = `${root}${delimiter}${path}`;
  });
  test.afterEach(() => {
    delete process.env["CALLS"];
    process.env["PATH"] = path;
    rmSync(root, { recursive: true, force: true });
  });

  test("a package set is installed once, without scripts, and one line reports its name, size and folder", async () => {
    writeLock("sha512-a");
    assert.equal(await install(), [
      "installing a planted package (1 MB, once) into test/planted/node_modules\n",
    ]);
    assert.equal(await install(), []);
    assert.is(called().length, 1);
    assert.match(called()[0] ?? "", /^ci --ignore-scripts /);
  });

  test("concurrent requests for a package set install it once", async () => {
    writeLock("sha512-a");
    const lines = (await Promise.all([install(), install()])).flat();
    assert.is(lines.length, 1);
    assert.is(called().length, 1);
  });

  test("a changed lock file replaces the installed package set", async () => {
    writeLock("sha512-a");
    await install();
    writeLock("sha512-b");
    assert.is((await install()).length, 1);
    assert.equal(await install(), []);
    writeLock("sha512-b", { "node_modules/two": { integrity: "sha512-c" } });
    assert.is((await install()).length, 1);
    assert.is(called().length, 3);
  });

  test("a package set that `npm ci` installed counts as installed, even without optional packages", async () => {
    writeLock("sha512-a");
    await install();
    writeLock("sha512-a", { "node_modules/other": { integrity: "sha512-d", optional: true } });
    assert.equal(await install(), []);
  });

  test("if npm fails, the error names the package set and quotes npm, and the next call tries again", async () => {
    writeLock("sha512-a");
    writeFileSync(`${calls}.fails`, "");
    const failure = await install().then(
      () => "",
      (thrown: Error) => thrown.message,
    );
    assert.match(failure, /^a planted package could not be installed from test\/planted/);
    assert.match(failure, /ENOTFOUND/);
    assert.not(existsSync(join(root, set.folder, "node_modules")));
    rmSync(`${calls}.fails`);
    assert.is((await install()).length, 1);
    assert.equal(readdirSync(join(root, "node_modules/.cache/manifold-packages")), []);
  });

  test("an installation takes over the lock and partial files of a killed process", async () => {
    writeLock("sha512-a");
    const cacheDir = join(root, "node_modules/.cache/manifold-packages");
    mkdirSync(join(cacheDir, "test-planted/part-1"), { recursive: true });
    const ended = execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" });
    writeFileSync(join(cacheDir, "test-planted.lock"), ended.trim());
    assert.is((await install()).length, 1);
    assert.equal(readdirSync(cacheDir), []);
  });

  test.deep("npm installs a package from a lock file without running its scripts", async () => {
    process.env["PATH"] = path;
    const described = { name: "one", version: "1.0.0", scripts: { postinstall: "touch ran" } };
    mkdirSync(join(root, "package"));
    writeFileSync(join(root, "package/package.json"), JSON.stringify(described));
    const archive = join(root, "one.tgz");
    execFileSync("tar", ["-czf", archive, "-C", root, "package"]);
    const dependencies = { one: `file:${archive}` };
    const packages = {
      "": { name: "planted", dependencies },
      "node_modules/one": { version: "1.0.0", resolved: `file:${archive}`, hasInstallScript: true },
    };
    const lock = { name: "planted", lockfileVersion: 3, requires: true, packages };
    writeFileSync(
      join(root, set.folder, "package.json"),
      JSON.stringify({ name: "planted", dependencies }),
    );
    writeFileSync(join(root, set.folder, "package-lock.json"), JSON.stringify(lock));
    assert.is((await install()).length, 1);
    assert.equal(readdirSync(join(root, set.folder, "node_modules/one")), ["package.json"]);
    assert.equal(await install(), []);
  });
});
