import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { writeDeclarations } from "../../../deploy/npm/writeDeclarations.ts";
import { suite } from "../../support/suite.ts";

suite("deploy/npm/writeDeclarations", (test) => {
  let folder: string;
  test.beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "manifold-declarations-"));
  });
  test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes compiled declarations. Returns the declarations that the entry needs. */
  const written = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, "from", path)), { recursive: true });
      writeFileSync(join(folder, "from", path), text);
    }
    const to = join(folder, "to");
    writeDeclarations({ from: join(folder, "from"), to, entry: "core/index.d.ts" });
    const paths = globSync("**/*.d.ts", { cwd: to }).toSorted();
    return Object.fromEntries(paths.map((path) => [path, readFileSync(join(to, path), "utf8")]));
  };

  test("only the declarations that the entry needs are written, without index files that only re-export them", () => {
    const files = written({
      "core/index.d.ts": 'export { openHost, type Host as Opened } from "./host.ts";\n',
      "core/host.d.ts":
        'import { type Config } from "./base/index.ts";\nimport type { Logger } from "pino";\n' +
        "export interface Host {}\nexport declare function openHost(config: Config, log: Logger): Host;\n",
      "core/base/index.d.ts":
        'export { type Settings as Config } from "./config.ts";\nexport { unused } from "./unused.ts";\n',
      "core/base/config.d.ts": "export interface Settings {}\n",
      "core/base/unused.d.ts": 'import type { Knex } from "knex";\n',
    });
    assert.equal(Object.keys(files), [
      "core/base/config.d.ts",
      "core/host.d.ts",
      "core/index.d.ts",
    ]);
    assert.match(
      files["core/host.d.ts"] ?? "",
      'import type { Settings as Config } from "./base/config.js";',
    );
    assert.match(
      files["core/index.d.ts"] ?? "",
      'export { type Host as Opened } from "./host.js";',
    );
  });

  test("an index file that does not export a requested name, and an import without names, fail, and each error names the path", () => {
    const entry = 'export { a } from "./base/index.ts";\n';
    assert.throws(
      () =>
        written({ "core/index.d.ts": entry, "core/base/index.d.ts": 'export * from "./a.ts";' }),
      "core/base/index.d.ts does not export a by name",
    );
    assert.throws(
      () => written({ "core/index.d.ts": 'export * from "./a.ts";\n' }),
      "core/index.d.ts imports ./a.ts other than by name",
    );
  });
});
