import { join } from "node:path";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import type { ColumnDefinition, DataType, Output, Plan, Store } from "../../../engine/index.ts";
import { loadFile } from "../loadFile.ts";
import { sqlText, type BenchQuery } from "./benchQuery.ts";
import { compareAnswers } from "./compareAnswers.ts";
import { column } from "./planParts.ts";
import { planSql } from "./planSql.ts";
import { openBenchStore, rowsOf } from "./systems/openStrataStore.ts";
import { toCells } from "./toCells.ts";

/** Numbers of values that a key or a counted column has. */
const sizes = [10, 1000, 100_000, 1_000_000, 5_000_000] as const;

export interface CurveRequest {
  readonly dir: string;
  readonly rowCount: number;
  readonly seed: number;
  readonly repeats: number;
}

/** Least processor time of one question in both systems, in milliseconds. */
export interface CurvePoint {
  readonly family: string;
  readonly size: number;
  readonly ownMs: number;
  readonly duckdbMs: number;
}

/** Columns by kind: neighbouring whole numbers, strings, and whole numbers with a range of 2^40. */
const kinds = { n: "number", t: "text", w: "number" } as const satisfies Record<string, DataType>;
const columns: readonly ColumnDefinition[] = [
  ...sizes.flatMap((size) =>
    Object.entries(kinds).map(([kind, type]) => ({ name: `${kind}${size}`, type })),
  ),
  { name: "amount", type: "number" },
  { name: "x", type: "number" },
];

const rows: Output = { kind: "aggregate", function: "rows" };
const aggregate = (name: "sum" | "median" | "distinctcount", of: string): Output => ({
  kind: "aggregate",
  function: name,
  of: column(of),
});

interface CurveQuestion {
  readonly family: string;
  readonly size: number;
  readonly query: BenchQuery;
}

/** Returns the questions of the curve: groups, medians and distinct counts, for every kind and number of values. */
function createQuestions(): readonly CurveQuestion[] {
  const top = (family: string, key: string, size: number, measures: readonly Output[]) => {
    const outputs: Output[] = [{ kind: "key", of: column(key) }, ...measures];
    const order = [...measures.keys()].map((index) => ({ output: index + 1, descending: true }));
    order.push({ output: 0, descending: false });
    const plan: Plan = {
      table: "f",
      outputs,
      grouped: true,
      order,
      limit: { count: 10, offset: 0 },
    };
    return question(family, size, plan, [key.startsWith("t") ? "text" : "number"]);
  };
  const whole = (family: string, size: number, of: string) => {
    const plan: Plan = { table: "f", outputs: [aggregate("distinctcount", of)], grouped: true };
    return question(family, size, plan, []);
  };
  const sums = [rows, aggregate("sum", "amount")];
  return sizes.flatMap((size) => [
    top("groups by numbers", `n${size}`, size, sums),
    top("groups by strings", `t${size}`, size, sums),
    top("groups by wide numbers", `w${size}`, size, sums),
    top("medians by numbers", `n${size}`, size, [rows, aggregate("median", "x")]),
    top("medians by wide numbers", `w${size}`, size, [rows, aggregate("median", "x")]),
    top("distinct strings by numbers", `n${size}`, size, [aggregate("distinctcount", "t1000000")]),
    top("distinct wide numbers by numbers", `n${size}`, size, [
      aggregate("distinctcount", "w1000000"),
    ]),
    top("distinct numbers by wide numbers", `w${size}`, size, [
      aggregate("distinctcount", "n1000000"),
    ]),
    whole("distinct numbers", size, `n${size}`),
    whole("distinct strings", size, `t${size}`),
    whole("distinct wide numbers", size, `w${size}`),
  ]);
}

function question(
  family: string,
  size: number,
  plan: Plan,
  keys: readonly DataType[],
): CurveQuestion {
  const types = plan.outputs.map((_, index) => keys[index] ?? "number");
  const duckdb = planSql(plan);
  const name = `${family} ${size}`;
  return {
    family,
    size,
    query: { name, plan, duckdb, types, keyCount: keys.length, isOrdered: true },
  };
}

/**
 * Measures how the cost of grouping grows with the number of values. Both systems run in this process with two threads,
 * in turns. The figures are processor time, because other work on the machine matters little for it.
 */
export async function runGroupCurve({
  dir,
  rowCount,
  seed,
  repeats,
}: CurveRequest): Promise<readonly CurvePoint[]> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2", memory_limit: "8GB" });
  const connection = await instance.connect();
  const store = await openBenchStore(join(dir, "groups"));
  try {
    await store.warm();
    await fill(connection, store, { dir, rowCount, seed });
    const points: CurvePoint[] = [];
    for (const { family, size, query } of createQuestions()) {
      const own = async () => rowsOf(await store.query(query.plan));
      const other = async () => (await connection.runAndReadAll(query.duckdb)).getRowsJS();
      const expected = toCells(await other(), query.types);
      const difference = compareAnswers(expected, toCells(await own(), query.types), query);
      if (difference) throw new Error(`${query.name}: ${difference}`);
      const times = { ownMs: Infinity, duckdbMs: Infinity };
      for (let round = 0; round < repeats; round++) {
        times.ownMs = Math.min(times.ownMs, await processorMs(own));
        times.duckdbMs = Math.min(times.duckdbMs, await processorMs(other));
      }
      points.push({ family, size, ...times });
    }
    return points;
  } finally {
    await store.close();
    connection.closeSync();
    instance.closeSync();
  }
}

async function processorMs(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Creates the same rows in both systems. A hash of the row and the seed determines the values. */
async function fill(
  connection: DuckDBConnection,
  store: Store,
  { dir, rowCount, seed }: Pick<CurveRequest, "dir" | "rowCount" | "seed">,
): Promise<void> {
  const hash = (salt: number) => `hash(i, ${seed}, ${salt})`;
  const numbers = sizes.map((size, index) => `(${hash(index)} % ${size})::DOUBLE AS n${size}`);
  const strings = sizes.map((size) => `'value ' || n${size}::INTEGER AS t${size}`);
  // Multiplying by an odd number modulo a power of two keeps different values different.
  const wide = sizes.map(
    (size) => `((n${size}::UBIGINT * 387420489) % 1099511627776)::DOUBLE AS w${size}`,
  );
  await connection.run(
    `CREATE TABLE f AS SELECT ${columns.map(({ name }) => name).join(", ")} FROM (
       SELECT *, ${[...strings, ...wide].join(", ")} FROM (
         SELECT ${numbers.join(", ")}, (${hash(90)} % 1000)::DOUBLE AS amount,
           (${hash(91)} % 1000000007)::DOUBLE / 1000000007 AS x
         FROM range(${rowCount}) AS rows(i)))`,
  );
  const file = join(dir, "groups.parquet");
  await connection.run(`COPY f TO ${sqlText(file)} (FORMAT parquet)`);
  await store.create({ name: "f", columns });
  await loadFile({ store, table: "f", columns, path: file });
}
