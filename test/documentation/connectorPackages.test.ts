import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { readConfig } from "../../core/base/config.ts";
import { loadConnectorPackages } from "../../core/sources/connections/loadConnectorPackages.ts";
import { suite } from "../support/suite.ts";
import { withCompiled } from "./compileBlock.ts";
import { blocksFor } from "./readBlocks.ts";

const [exported, command, program] = blocksFor("docs/PLUGINS.md", "connectorPackages");

suite("documentation/connectorPackages", (test) => {
  test("the documented setting loads the documented package", async () => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-documented-"));
    try {
      const [, name = ""] = /^npm install (\S+)$/m.exec(command!.text) ?? [];
      const own = join(folder, "node_modules", name);
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, "package.json"), '{ "type": "module", "exports": "./index.js" }');
      writeFileSync(join(own, "index.js"), stripTypeScriptTypes(exported!.text));
      const [, setting] = /^MANIFOLD_CONNECTORS=(\S+) /m.exec(command!.text) ?? [];
      const { connectors } = readConfig({}, { MANIFOLD_CONNECTORS: setting });
      const found = await loadConnectorPackages({
        entries: connectors,
        imports: {},
        ownSlugs: ["postgresql"],
        folders: [folder],
      });
      assert.equal([...found.keys()], ["firebird"]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.deep("the documented package and the program that loads it compile", async () => {
    await withCompiled(exported!, {}, async () => undefined);
    const replaced = {
      "@acme/manifold-firebird": "../../connectors/sqlite/index.ts",
      // The sources of the host need this declaration, which is not a module.
      "import { openHost }":
        '/// <reference path="../../core/exports/pictures/bidiModule.d.ts" />\nimport { openHost }',
    };
    await withCompiled(program!, { replaced }, async () => undefined);
  });
});
