import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  DOUBLE,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTimestampMillisecondsValue,
  INTEGER,
  TIMESTAMP_MS,
  VARCHAR,
  type DuckDBConnection,
} from "@duckdb/node-api";
import type { ColumnDefinition, Store } from "../../../engine/index.ts";
import { loadFile } from "../loadFile.ts";
import { arrowBytes } from "./arrowBytes.ts";
import { factColumns, jsonColumns } from "./columns.ts";
import { jsonBatches } from "./jsonBatches.ts";
import { sqlText } from "./benchQuery.ts";
import { openBenchStore } from "./systems/openStrataStore.ts";

/** The ways to load rows into a table that the bench compares. */
export const ingestWays = [
  "strata json",
  "duckdb json, chunk appender",
  "duckdb json, its own reader",
  "strata parquet",
  "strata arrow",
  "duckdb parquet, its own reader",
] as const;
export type IngestWay = (typeof ingestWays)[number];

export interface IngestRequest {
  readonly way: IngestWay;
  readonly rowCount: number;
  readonly seed: number;
  readonly parquet: string;
  readonly dir: string;
}

export interface Ingested {
  readonly ms: number;
  readonly sizeBytes: number;
  /**
   * The number of rows, the sum of `x`, and the number of values of `z`. They must be the same for all ways of loading.
   */
  readonly check: readonly number[];
}

/**
 * Loads 10 columns of JSON rows, or a file with all 12 columns, into a new table. The time of creating the bytes does
 * not count. Our table is on disk when loading ends, and DuckDB's table is in memory.
 */
export async function runIngest(request: IngestRequest): Promise<Ingested> {
  switch (request.way) {
    case "strata json":
      return jsonIntoStrata(request);
    case "strata parquet":
      return fileIntoStrata(request, request.parquet);
    case "strata arrow": {
      const path = join(request.dir, "facts.arrow");
      writeFileSync(path, arrowBytes(request.seed, request.rowCount));
      return fileIntoStrata(request, path);
    }
    case "duckdb json, chunk appender":
    case "duckdb json, its own reader":
    case "duckdb parquet, its own reader":
      return intoDuckdb(request);
  }
}

function jsonIntoStrata({ dir, seed, rowCount }: IngestRequest): Promise<Ingested> {
  const pieces = jsonBatches(seed, rowCount);
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const names = jsonColumns.map(({ name }) => name);
  const types = jsonColumns.map(({ type }) => type);
  return intoStrata({ dir, columns: jsonColumns, sizeBytes }, async (store) => {
    // Clients of an API also send several batches at the same time.
    const waiting: Promise<unknown>[] = [];
    for (const bytes of pieces) {
      if (waiting.length >= 4) await waiting.shift();
      waiting.push(push(store, bytes));
    }
    await Promise.all(waiting);
  });

  /** Stores a piece as a host stores the rows of a push. */
  async function push(store: Store, bytes: Uint8Array): Promise<void> {
    const rows = await store.decode({ bytes, types });
    const batch = { rowCount: rows.rowCount, columns: rows.columns.map(({ column }) => column) };
    await store.append({ table: "t", rows: { names, batch } });
    rows.release();
  }
}

function fileIntoStrata({ dir }: IngestRequest, path: string): Promise<Ingested> {
  const sizeBytes = statSync(path).size;
  return intoStrata({ dir, columns: factColumns, sizeBytes }, (store) =>
    loadFile({ store, table: "t", columns: factColumns, path }),
  );
}

async function intoStrata(
  {
    dir,
    columns,
    sizeBytes,
  }: {
    readonly dir: string;
    readonly columns: readonly ColumnDefinition[];
    readonly sizeBytes: number;
  },
  load: (store: Store) => Promise<unknown>,
): Promise<Ingested> {
  const store = await openBenchStore(dir);
  try {
    await store.create({ name: "t", columns });
    // A host warms up in the same way when it opens the store.
    await store.warm();
    const startedAt = performance.now();
    await load(store);
    const ms = performance.now() - startedAt;
    const answer = await store.query({
      table: "t",
      outputs: [
        { kind: "aggregate", function: "rows" },
        { kind: "aggregate", function: "sum", of: { kind: "column", name: "x" } },
        { kind: "aggregate", function: "count", of: { kind: "column", name: "z" } },
      ],
      grouped: true,
    });
    const check = answer.columns.map((vector) =>
      vector.type === "text" ? NaN : (vector.values[0] ?? NaN),
    );
    return { ms, sizeBytes, check };
  } finally {
    await store.close();
  }
}

async function intoDuckdb({ way, parquet, dir, seed, rowCount }: IngestRequest): Promise<Ingested> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  try {
    let sizeBytes = readFileSync(parquet).length;
    let ingest = async (): Promise<unknown> =>
      connection.run(`CREATE TABLE t AS SELECT * FROM ${sqlText(parquet)}`);
    if (way !== "duckdb parquet, its own reader") {
      const batches = jsonBatches(seed, rowCount);
      sizeBytes = batches.reduce((sum, { length }) => sum + length, 0);
      await connection.run(
        "CREATE TABLE t (dt TIMESTAMP_MS, s5 VARCHAR, s50 VARCHAR, s1000 VARCHAR, s50k VARCHAR, s2m VARCHAR, i1 INTEGER, x DOUBLE, y DOUBLE, z DOUBLE)",
      );
      ingest = async () => appendChunks(connection, batches);
      if (way === "duckdb json, its own reader") {
        const file = join(dir, "rows.ndjson");
        writeFileSync(
          file,
          batches
            .map((batch) => Buffer.from(batch).toString().slice(1, -1).replaceAll("],[", "]\n["))
            .join("\n"),
        );
        ingest = () =>
          connection.run(
            `INSERT INTO t SELECT (json->>0)::TIMESTAMP_MS, json->>1, json->>2, json->>3, json->>4, json->>5, (json->>6)::INTEGER, (json->>7)::DOUBLE, (json->>8)::DOUBLE, (json->>9)::DOUBLE FROM read_json_objects(${sqlText(file)}, format = 'newline_delimited')`,
          );
      }
    }
    const startedAt = performance.now();
    await ingest();
    const ms = performance.now() - startedAt;
    const [row = []] = (
      await connection.runAndReadAll("SELECT count(*), sum(x), count(z) FROM t")
    ).getRowsJS();
    return { ms, sizeBytes, check: row.map(Number) };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function appendChunks(
  connection: DuckDBConnection,
  batches: readonly Uint8Array[],
): Promise<void> {
  const appender = await connection.createAppender("t");
  const types = jsonColumns.map(({ name, type }) =>
    type === "text"
      ? VARCHAR
      : type === "datetime"
        ? TIMESTAMP_MS
        : name === "i1"
          ? INTEGER
          : DOUBLE,
  );
  const decoder = new TextDecoder();
  for (const batch of batches) {
    const rows = JSON.parse(decoder.decode(batch)) as (string | number | null)[][];
    for (let from = 0; from < rows.length; from += 2048) {
      const part = rows.slice(from, from + 2048);
      const chunk = DuckDBDataChunk.create(types, part.length);
      chunk.setColumns(
        types.map((_, column) =>
          part.map((row) =>
            column === 0
              ? new DuckDBTimestampMillisecondsValue(BigInt(Date.parse(String(row[0]))))
              : (row[column] ?? null),
          ),
        ),
      );
      appender.appendDataChunk(chunk);
    }
  }
  appender.closeSync();
}
