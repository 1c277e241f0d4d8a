import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";

const main = fileURLToPath(new URL("../../examples/demo/main.ts", import.meta.url));
const run = promisify(execFile);

suite("examples/demo", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-demo-"));
  test.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const demo = async () => {
    const environment = { ...process.env, MANIFOLD_DATA_DIR: dataDir };
    const args = ["--conditions=manifold-source", main, "--once"];
    return (await run(process.execPath, args, { env: environment })).stdout;
  };
  const answers = (output: string) =>
    output
      .slice(output.indexOf("How late"))
      .replaceAll(/\(\d+ ms\)/g, "")
      .split("\nManifold")[0];
  let first = "";

  test("three million flights are pushed and the five questions are answered", async () => {
    first = await demo();
    assert.match(first, /Pushing 3,000,000 flights, 10,000 a call/);
    assert.match(first, /3,000,000 rows/);
    assert.match(first, /2001-01-01 +6\.34 +508,239/);
    assert.match(first, /JFK +12\.31 +31,270/);
    assert.match(first, / 6 +486 +-2\.9/);
    assert.match(first, /DFW +117/);
    assert.match(first, /Atlanta +108\.1/);
    assert.match(first, /key +[0-9a-f-]{36}\n +token \S{40,}/);
  });

  test("the second time nothing is pushed, and the answers are the same", async () => {
    const second = await demo();
    assert.match(second, /are there already/);
    assert.not.match(second, /Pushing/);
    assert.is(answers(second), answers(first));
  });

  test("the key pair is kept for its owner alone", () => {
    assert.is(statSync(join(dataDir, "demo.json")).mode & 0o077, 0);
  });
});
