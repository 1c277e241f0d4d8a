import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { findNpm } from "../../../../core/sources/drivers/findNpm.ts";
import { suite } from "../../../support/suite.ts";

suite("core/sources/drivers/findNpm", (test) => {
  let folder: string;
  test.beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "manifold-npm-"));
  });
  test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const plant = (path: string) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    return file;
  };

  test("the host uses the npm that started it, otherwise the npm of its Node.js, otherwise the npm on the PATH", () => {
    const execPath = plant("node/bin/node");
    const onPath = plant("path/npm");
    const environment = { PATH: ["", join(folder, "none"), dirname(onPath)].join(delimiter) };
    assert.equal(findNpm({ execPath, environment }), { file: onPath, args: [] });
    const ofNode = plant("node/lib/node_modules/npm/bin/npm-cli.js");
    assert.equal(findNpm({ execPath, environment }), { file: execPath, args: [ofNode] });
    const npm_execpath = plant("started/npm-cli.js");
    assert.equal(findNpm({ execPath, environment: { ...environment, npm_execpath } }), {
      file: execPath,
      args: [npm_execpath],
    });
  });

  test("npm is found next to the Node.js that a link points to, and in the Windows layout", () => {
    const real = plant("real/bin/node");
    const ofReal = plant("real/lib/node_modules/npm/bin/npm-cli.js");
    mkdirSync(join(folder, "links"));
    const link = join(folder, "links/node");
    symlinkSync(real, link);
    assert.equal(findNpm({ execPath: link, environment: {} }), { file: link, args: [ofReal] });
    const onWindows = plant("windows/node.exe");
    const ofWindows = plant("windows/node_modules/npm/bin/npm-cli.js");
    const found = { file: onWindows, args: [ofWindows] };
    assert.equal(findNpm({ execPath: onWindows, environment: {} }), found);
    const execPath = plant("alone/node.exe");
    const environment = { PATH: join(folder, "windows") };
    assert.equal(findNpm({ execPath, environment }), { file: execPath, args: [ofWindows] });
  });

  test("another package manager that started the host is not mistaken for npm", () => {
    const npm_execpath = plant("yarn/yarn.js");
    const execPath = plant("bin/node");
    assert.is(findNpm({ execPath, environment: { npm_execpath, PATH: "" } }), undefined);
  });
});
