import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { findNpm } from "../../../../core/cli/ownNode/findNpm.ts";
import { suite } from "../../../support/suite.ts";

suite("core/cli/ownNode/findNpm", (test) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-npm-")));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    return file;
  };
  const node = join(folder, "node/bin/node");

  test("the command uses the npm that started it, otherwise the npm of Node.js, otherwise the npm on the PATH", () => {
    const started = write("started/npm-cli.js");
    const ofNode = write("node/lib/node_modules/npm/bin/npm-cli.js");
    const onPath = write("share/npm/bin/npm-cli.js");
    mkdirSync(join(folder, "bin"));
    symlinkSync(onPath, join(folder, "bin/npm"));
    const PATH = `/nowhere:${join(folder, "bin")}`;
    assert.is(findNpm({ npm_execpath: started, PATH }, node), started);
    assert.is(findNpm({ npm_execpath: write("pnpm.cjs"), PATH }, node), ofNode);
    assert.is(findNpm({ PATH }, join(folder, "elsewhere/bin/node")), onPath);
  });

  test("a command named npm that is not npm's JavaScript file is not used", () => {
    write("shim/npm");
    const elsewhere = join(folder, "elsewhere/bin/node");
    assert.is(findNpm({ PATH: join(folder, "shim") }, elsewhere), undefined);
    assert.is(findNpm({}, elsewhere), undefined);
  });
});
