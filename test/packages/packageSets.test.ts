import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { findEngineWarnings } from "./findEngineWarnings.ts";
import { packageSets } from "./packageSets.ts";

const repository = join(import.meta.dirname, "../..");

suite("packages/packageSets", (test) => {
  interface Described {
    readonly private?: boolean;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  }
  const read = (file: string) => JSON.parse(readFileSync(join(repository, file), "utf8"));
  const directOf = ({ dependencies, devDependencies }: Described) => ({
    ...dependencies,
    ...devDependencies,
  });
  const rootDirect = directOf(read("package.json"));

  test("a package set is private, has its own lock file and adds no package that the root already has", () => {
    for (const { folder } of Object.values(packageSets)) {
      const described: Described = read(`${folder}/package.json`);
      const lock: { readonly packages: { readonly "": Described } } = read(
        `${folder}/package-lock.json`,
      );
      const direct = directOf(described);
      assert.is(described.private, true, folder);
      assert.ok(Object.keys(direct).length > 0, folder);
      assert.equal(directOf(lock.packages[""]), direct, folder);
      const both = Object.keys(direct).filter((name) => rootDirect[name] === direct[name]);
      assert.equal(both, [], folder);
    }
  });

  test.deep("npm on Node 20 does not warn about engine mismatches of the root's packages", () => {
    const warned = findEngineWarnings(repository);
    // This version of npm does not support `devEngines`.
    const others = warned.filter((name) => !name.startsWith("manifold@"));
    assert.equal(others, [], "run npm run engines");
  });

  test.deep("`npm ci` installs at most 900 MB in the root folder", () => {
    const sizes = new Map<number, number>();
    // The folder .cache does not count, because only tests and tools fill it.
    const folders = readdirSync(join(repository, "node_modules"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== ".cache")
      .map(({ name }) => join(repository, "node_modules", name));
    for (const folder of folders)
      for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const { ino, blocks } = lstatSync(join(folder, path));
        sizes.set(ino, blocks * 512);
      }
    const sizeMb = [...sizes.values()].reduce((sum, size) => sum + size, 0) / 2 ** 20;
    assert.ok(sizeMb < 900, `${sizeMb} MB`);
    assert.ok(sizeMb > 100, `${sizeMb} MB`);
  });
});
