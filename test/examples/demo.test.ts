import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { fillDataFolder } from "../support/fillDataFolder.ts";
import { rounds } from "../support/layer.ts";
import { suite } from "../support/suite.ts";
import { openExamplePostgres, type ExamplePostgres } from "./examplePostgres.ts";

const main = fileURLToPath(new URL("../../examples/demo/main.ts", import.meta.url));
const run = promisify(execFile);

const few = {
  flights: "60000",
  rows: "60,000",
  expected: [
    /2001-01-01 +13\.2 +60,000/,
    /DFW +23\.16 +3,053/,
    / 6 +13 +3\n/,
    /DFW +116/,
    /Atlanta +108\.1/,
  ],
};
const all = {
  flights: undefined,
  rows: "3,000,000",
  expected: [
    /2001-01-01 +6\.34 +508,239/,
    /JFK +12\.31 +31,270/,
    / 6 +486 +-2\.9/,
    /DFW +117/,
    /Atlanta +108\.1/,
  ],
};
/** The number of flights, and the expected results, which were computed with DuckDB. */
const { flights, rows, expected } = rounds<typeof few | typeof all>({
  quick: few,
  deep: few,
  soak: all,
});

suite("examples/demo", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-demo-"));
  let postgres: ExamplePostgres;
  test.before(async () => {
    await fillDataFolder(dataDir);
    postgres = await openExamplePostgres();
  });
  test.after(async () => {
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const demo = async () => {
    const environment = {
      ...process.env,
      ...postgres.environment,
      MANIFOLD_DATA_DIR: dataDir,
      ...(flights && { MANIFOLD_DEMO_FLIGHTS: flights }),
    };
    const args = ["--conditions=manifold-source", main, "--once"];
    return (await run(process.execPath, args, { env: environment })).stdout;
  };
  const answers = (output: string) =>
    output
      .slice(output.indexOf("How late"))
      .replaceAll(/[\d.]+ ms/g, "")
      .split("\nManifold")[0];
  let first = "";

  test.deep(`the demo loads ${rows} flights and answers its queries`, async () => {
    first = await demo();
    assert.match(first, `Loading ${rows} flights from`);
    for (const line of expected) assert.match(first, line);
    assert.is(first.match(/^ {2}.+: http:.+\/shared\/[\w-]{22}$/gm)?.length, 3);
    assert.match(first, /The alert "Late weeks" over 2001: 25 weeks, \d+ quer/);
    assert.match(first, /key +[0-9a-f-]{36}\n +token \S{40,}/);
  });

  test.deep("a second run of the demo loads nothing and prints the same results", async () => {
    const second = await demo();
    assert.match(second, /already exist/);
    assert.not.match(second, /Loading/);
    assert.is(answers(second), answers(first));
  });

  test.deep("the demo stores the key pair in a file that only its owner can read", () => {
    assert.is(statSync(join(dataDir, "demo.json")).mode & 0o077, 0);
  });
});
