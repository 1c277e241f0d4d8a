import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { needsOwnNode } from "../../../../core/cli/ownNode/index.ts";
import { leastMajor } from "../../../../core/cli/ownNode/needsOwnNode.ts";
import { nodePackages, nodeVersion } from "../../../../core/cli/ownNode/nodePackages.ts";
import { suite } from "../../../support/suite.ts";

const manifest: { readonly devDependencies: { readonly node: string } } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../package.json"), "utf8"),
);

suite("core/cli/ownNode/nodePackages", (test) => {
  test("the command's own Node.js has the version that the tests use, on every platform", () => {
    const advice = Object.values(nodePackages).map(
      ({ name }) => `npm view ${name}@${manifest.devDependencies.node} dist.integrity`,
    );
    assert.is(nodeVersion, manifest.devDependencies.node, advice.join("\n"));
    for (const [platform, { name, version, integrity }] of Object.entries(nodePackages)) {
      assert.is(version, nodeVersion);
      assert.ok(name.endsWith(platform), name);
      assert.match(integrity, /^sha512-[\w+/]{86}==$/);
    }
    const distinct = new Set(Object.values(nodePackages).map(({ integrity }) => integrity));
    assert.is(distinct.size, Object.keys(nodePackages).length);
  });

  test("the command runs on its own Node.js if the installed version is older than the tested version", () => {
    assert.is(Number.parseInt(nodeVersion, 10), leastMajor);
    for (const version of ["20.20.2", "9.11.2", `${leastMajor - 1}.9.0`])
      assert.is(needsOwnNode(version), true, version);
    for (const version of [`${leastMajor}.0.0`, `${leastMajor + 4}.1.0`, process.versions.node])
      assert.is(needsOwnNode(version), false, version);
  });
});
