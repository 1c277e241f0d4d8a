import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DOUBLE, DuckDBInstance, INTEGER } from "@duckdb/node-api";
import { factColumns } from "./columns.ts";
import { fillChunks } from "./fillChunks.ts";
import {
  categoryOf,
  dimensionSize,
  generateTable,
  type TextColumn,
  textOf,
} from "./generateTable.ts";
import { sqlText } from "./benchQuery.ts";

const rowsPerFile = 10_000_000;
const rowsPerBlock = 1_000_000;

/** The Parquet files of the generated table. */
export interface ParquetFiles {
  /** One file per 10,000,000 rows, in order. */
  readonly facts: readonly string[];
  readonly dimension: string;
}

/**
 * Writes the bench table as Parquet files for the peers, unless the files exist. Without a folder, the files are kept
 * in the temporary folder for later runs.
 */
export async function writeParquet(
  rowCount: number,
  seed: number,
  dir = join(tmpdir(), "manifold-bench", `1-${seed}-${rowCount}`),
): Promise<ParquetFiles> {
  mkdirSync(dir, { recursive: true });
  const files: ParquetFiles = {
    facts: Array.from({ length: Math.ceil(rowCount / rowsPerFile) }, (_, index) =>
      join(dir, `fact-${index}.parquet`),
    ),
    dimension: join(dir, "dimension.parquet"),
  };
  if ([...files.facts, files.dimension].every((file) => existsSync(file))) return files;

  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const copy = async (select: string, file: string) => {
    await connection.run(
      `COPY (${select}) TO ${sqlText(`${file}.part`)} (FORMAT parquet, COMPRESSION lz4, ROW_GROUP_SIZE 122880)`,
    );
    renameSync(`${file}.part`, file);
  };
  try {
    await connection.run(`CREATE TABLE items (code INTEGER, text VARCHAR, category VARCHAR)`);
    const items = await connection.createAppender("items");
    for (let code = 0; code < dimensionSize; code++) {
      items.appendInteger(code);
      items.appendVarchar(textOf.s50k(code));
      items.appendVarchar(categoryOf(code));
      items.endRow();
    }
    items.closeSync();
    await copy(
      "SELECT text AS s50k, category AS cat20, code::BIGINT AS kid FROM items ORDER BY code",
      files.dimension,
    );

    const types = factColumns.map(({ name, type }) =>
      type === "text" || name === "i1" || name === "i2" ? INTEGER : DOUBLE,
    );
    for (const [index, file] of files.facts.entries()) {
      await connection.run(
        `CREATE OR REPLACE TABLE codes (${factColumns.map(({ name }, column) => `${name} ${types[column] === INTEGER ? "INTEGER" : "DOUBLE"}`).join(", ")})`,
      );
      const appender = await connection.createAppender("codes");
      const end = Math.min(rowCount, (index + 1) * rowsPerFile);
      for (let from = index * rowsPerFile; from < end; from += rowsPerBlock) {
        const count = Math.min(rowsPerBlock, end - from);
        const block = generateTable({ seed, rowCount, from, count });
        fillChunks(
          appender,
          types,
          factColumns.map(({ name }) => block[name as keyof typeof block]),
        );
      }
      appender.closeSync();
      await copy(`SELECT ${spelledOut()} FROM codes`, file);
    }
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  return files;
}

/**
 * Returns SQL that turns generated codes into the columns of the Parquet file. It looks up strings with a scalar
 * subquery, which keeps the order of the rows.
 */
function spelledOut(): string {
  return factColumns
    .map(({ name, type }) => {
      if (type === "datetime") return `epoch_ms(${name}::BIGINT)::TIMESTAMP_MS AS ${name}`;
      if (type === "number") return name;
      if (name === "s50k") return `(SELECT list(text ORDER BY code) FROM items)[s50k + 1] AS s50k`;
      const [prefix, width] = {
        s5: ["region_", 1],
        s50: ["country_", 2],
        s1000: ["city_", 4],
        s2m: ["user-", 8],
      }[name as Exclude<TextColumn, "s50k">];
      return `${sqlText(String(prefix))} || lpad(${name}::VARCHAR, ${width}, '0') AS ${name}`;
    })
    .join(", ");
}
