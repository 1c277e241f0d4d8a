/**
 * A server that a team could build in an afternoon: Koa in front of DuckDB in memory, with two threads. `plain` stores
 * strings as VARCHAR, runs each query as a new statement and returns rows as objects. `tuned` stores strings as ENUM,
 * prepares statements once per connection and returns rows as arrays. The server checks no credentials. It prints its
 * URL when it listens. The first argument contains the queries as JSON.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
} from "@duckdb/node-api";
import Koa from "koa";
import readBody from "raw-body";

interface Order {
  readonly form: "plain" | "tuned";
  /** The number of flights to load, from the beginning of the file. */
  readonly rowCount: number;
  readonly statements: readonly string[];
}

interface Call {
  readonly queryIndex: number;
  readonly values: readonly (string | number)[];
}

const { form, rowCount, statements } = JSON.parse(process.argv[2] ?? "") as Order;
const threadCount = 2;
const instance = await DuckDBInstance.create(":memory:", { threads: String(threadCount) });
const first = await instance.connect();
const parquet = fileURLToPath(
  new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")),
);
const textType = (column: string) => (form === "tuned" ? `${column}::${column}_names` : column);
if (form === "tuned")
  for (const column of ["origin", "destination"])
    await first.run(
      `CREATE TYPE ${column}_names AS ENUM (SELECT DISTINCT ${column} FROM '${parquet}' ORDER BY 1)`,
    );
await first.run(
  `CREATE TABLE flights AS SELECT date, hour(date)::DOUBLE AS hour, delay::DOUBLE AS delay, distance::DOUBLE AS distance,
   ${textType("origin")} AS origin, ${textType("destination")} AS destination FROM '${parquet}' LIMIT ${rowCount}`,
);

/**
 * The idle connections. There is one connection per thread, so that queries neither queue on a connection nor overload
 * the processors.
 */
const idle: { connection: DuckDBConnection; prepared: DuckDBPreparedStatement[] }[] = [];
const waiting: ((slot: (typeof idle)[number]) => void)[] = [];
if (form === "tuned")
  for (let index = 0; index < threadCount; index++) {
    const connection = await instance.connect();
    const prepared: DuckDBPreparedStatement[] = [];
    for (const statement of statements) prepared.push(await connection.prepare(statement));
    idle.push({ connection, prepared });
  }

async function answerTuned({ queryIndex, values }: Call): Promise<unknown> {
  const slot =
    idle.pop() ??
    (await new Promise<(typeof idle)[number]>((resolve) => {
      waiting.push(resolve);
    }));
  try {
    const statement = slot.prepared[queryIndex];
    if (!statement) throw new Error(`query ${queryIndex} does not exist`);
    statement.bind([...values]);
    return (await statement.runAndReadAll()).getRowsJson();
  } finally {
    const next = waiting.shift();
    if (next) next(slot);
    else idle.push(slot);
  }
}

async function answerPlain({ queryIndex, values }: Call): Promise<unknown> {
  const connection = await instance.connect();
  try {
    return (
      await connection.runAndReadAll(statements[queryIndex] ?? "", [...values])
    ).getRowObjectsJson();
  } finally {
    connection.closeSync();
  }
}

const answer = form === "tuned" ? answerTuned : answerPlain;
const app = new Koa();
app.use(async (ctx) => {
  const call = JSON.parse(await readBody(ctx.req, { encoding: "utf8" })) as Call;
  ctx.body = { data: await answer(call) };
});
const listener = app.callback();
// Koa responds to every failure of a handler, so this promise never rejects.
const server = createServer((request, response) => void listener(request, response));
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.stdout.write(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
process.on("disconnect", () => process.exit());
