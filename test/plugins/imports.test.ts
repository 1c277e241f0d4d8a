import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const described: {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
} = JSON.parse(readFileSync(join(root, "plugins/package.json"), "utf8"));
const parsers = Object.keys(described.peerDependencies).filter((name) => name !== "@types/node");
const entries = Object.keys(described.exports).filter((path) => !path.endsWith(".json"));

/** Imports each entry of the package for authors, and prints the packages that this loaded. */
const program = `
  import { registerHooks } from "node:module";
  let seen;
  registerHooks({
    resolve(specifier, context, next) {
      const [, name] = /^((?:@[^/]+\\/)?[^./:][^/:]*)(?:\\/|$)/.exec(specifier) ?? [];
      if (name !== undefined) seen.push(name);
      return next(specifier, context);
    },
  });
  const found = {};
  for (const entry of ${JSON.stringify(entries.toSorted((one) => (one === "./rows/formats" ? 1 : -1)))}) {
    seen = [];
    await import("@manifold-analytics/plugin" + entry.slice(1));
    found[entry] = [...new Set(seen)];
  }
  console.log(JSON.stringify(found));
`;

suite("plugins/imports", (test) => {
  test("importing the package for plugin authors loads no file readers, except through its entry for files", async () => {
    const flags = ["--conditions=manifold-source", "--input-type=module", "-e", program];
    const { stdout } = await run(process.execPath, flags, { cwd: root });
    const found: Readonly<Record<string, readonly string[]>> = JSON.parse(stdout);
    assert.equal(Object.keys(found).toSorted(), entries.toSorted());
    assert.ok(found["."]?.includes("koa"));
    assert.ok(found["./rows/formats"]?.some((name) => parsers.includes(name)));
    for (const [entry, names] of Object.entries(found))
      if (entry !== "./rows/formats")
        assert.equal(
          names.filter((name) => parsers.includes(name)),
          [],
          entry,
        );
  });

  test("the file readers are optional peer dependencies of the package for plugin authors, at the host's versions", () => {
    const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } =
      JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    assert.equal(parsers, ["apache-arrow", "hyparquet", "saxes", "yauzl"]);
    for (const name of parsers) {
      assert.is(described.peerDependenciesMeta[name]?.optional, true, name);
      assert.is(described.peerDependencies[name], dependencies[name], name);
    }
    for (const [name, range] of Object.entries(described.dependencies))
      assert.is(range, dependencies[name], name);
  });
});
