import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { readFlights } from "../../examples/support/flights.ts";
import { fillDataFolder } from "../support/fillDataFolder.ts";
import { suite } from "../support/suite.ts";
import { openExamplePostgres, type ExamplePostgres } from "./examplePostgres.ts";

const main = fileURLToPath(new URL("../../examples/three-sources/main.ts", import.meta.url));
const run = promisify(execFile);

/** The target of each airport, keyed by state. */
const states: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  California: { LAX: 4, SAN: 3, SFO: 8 },
  Texas: { DFW: 6, IAH: 5 },
  Illinois: { ORD: 10 },
};

const averageOf = (values: readonly number[]): number =>
  values.reduce((total, each) => total + each, 0) / values.length;

/** Returns the number of flights of each state, the sum of their delays, and the average target of its airports. */
async function expectedRows(): Promise<
  Readonly<Record<string, readonly [number, number, number]>>
> {
  const sums: Record<string, [number, number, number]> = {};
  let count = 0;
  for await (const flights of readFlights(0, 10_000)) {
    for (const [, , delay, , origin] of flights)
      for (const [state, targets] of Object.entries(states)) {
        if (!(String(origin) in targets)) continue;
        const sum = (sums[state] ??= [0, 0, averageOf(Object.values(targets))]);
        sum[0]++;
        sum[1] += Number(delay);
      }
    count += flights.length;
    if (count >= 60_000) break;
  }
  return sums;
}

suite("examples/three-sources", (test) => {
  let postgres: ExamplePostgres;
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-three-"));
  test.before(async () => {
    await fillDataFolder(dataDir);
    postgres = await openExamplePostgres();
  });
  test.after(async () => {
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const example = async (environment: Readonly<Record<string, string>>) => {
    const args = ["--conditions=manifold-source", main];
    return (await run(process.execPath, args, { env: { ...process.env, ...environment } })).stdout;
  };
  const shown = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 2 });
  const checkAnswers = async (output: string) => {
    const [whole = "", secured = ""] = output.split("The same query");
    for (const [state, [count, delay, target]] of Object.entries(await expectedRows())) {
      const cells = [shown(count), shown(delay / count), shown(target)];
      const line = new RegExp(`${state} +${cells.join(" +").replaceAll(".", "\\.")}\n`);
      assert.match(whole, line);
      if (state === "California") assert.match(secured, line);
      else assert.not.match(secured, `${state} `);
    }
    assert.match(secured, /Explained: grouped\n +joins: in the host/);
    assert.match(secured, /postgresql: filters; 13 rows/);
    assert.match(secured, /targets: plain rows; 13 rows/);
    assert.match(secured, "come from: question, token");
  };

  test.deep(
    "a query over three sources returns the same rows as a plain loop, and a token sees only the rows of its state",
    async () => {
      await checkAnswers(await example({ ...postgres.environment, MANIFOLD_DATA_DIR: dataDir }));
    },
  );

  test.deep("the three-sources example starts a PostgreSQL server and stops it", async () => {
    await checkAnswers(await example({}));
  });
});
