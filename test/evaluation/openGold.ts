import { DuckDBInstance, DuckDBTimestampValue, type DuckDBValue } from "@duckdb/node-api";
import type { Cell, DataModel, DataTable } from "./models/dataModel.ts";

/** A DuckDB database with the tables of the data models, independent of our host. */
export interface GoldDatabase {
  /** Runs a statement. Datetimes are returned as ISO strings. */
  query(sql: string): Promise<readonly (readonly Cell[])[]>;
  close(): void;
}

const types = { text: "varchar", number: "double", datetime: "timestamp" } as const;

export async function openGold(models: readonly DataModel[]): Promise<GoldDatabase> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  for (const { name, columns, rows } of models.flatMap(({ tables }) => tables)) {
    const made = columns.map((column) => `"${column.name}" ${types[column.type]}`);
    await connection.run(`create table "${name}" (${made.join(", ")})`);
    const appender = await connection.createAppender(name);
    for (const row of rows) {
      for (const [index, cell] of row.entries()) append(appender, columns, index, cell);
      appender.endRow();
    }
    appender.closeSync();
  }
  return {
    async query(sql) {
      const answer = await connection.runAndReadAll(sql);
      return answer.getRows().map((row) => row.map(cellOf));
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

type Appender = Awaited<
  ReturnType<Awaited<ReturnType<DuckDBInstance["connect"]>>["createAppender"]>
>;

function append(
  appender: Appender,
  columns: DataTable["columns"],
  index: number,
  cell: Cell,
): void {
  const type = columns[index]?.type;
  if (cell === null) appender.appendNull();
  else if (type === "number") appender.appendDouble(Number(cell));
  else if (type === "text") appender.appendVarchar(String(cell));
  else appender.appendTimestamp(new DuckDBTimestampValue(BigInt(Date.parse(String(cell))) * 1000n));
}

function cellOf(value: DuckDBValue): Cell {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof DuckDBTimestampValue)
    return new Date(Number(value.micros / 1000n)).toISOString();
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return new Date(text).toISOString();
  throw new Error(`DuckDB returned ${text}, which is not a number, text or datetime`);
}
