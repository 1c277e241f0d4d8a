import { DuckDBInstance } from "@duckdb/node-api";
import type { Client } from "../../../core/web/client/index.ts";
import { columnsOf } from "../../../examples/support/columnsOf.ts";
import { sqlText } from "../strata/benchQuery.ts";
import type { FilledDataset, FilledDatasets } from "./apiQueryOf.ts";
import type { PublicPart } from "./publicPart.ts";
import type { WrittenTable } from "./systems/publicSystem.ts";

/** The largest number of rows that a push may have. */
const rowsPerPush = 10_000;

/** Sends the body of a push, whose `data` is already JSON. Returns the answer. */
export type SendPush = (
  properties: Readonly<Record<string, unknown>>,
  data: string,
) => Promise<unknown>;

export interface FillRequest {
  readonly client: Client;
  readonly push: SendPush;
  readonly part: PublicPart;
  readonly tables: readonly WrittenTable[];
}

/** Pushes the tables of a part to a host and links their columns. */
export async function fillHost({
  client,
  push,
  part,
  tables,
}: FillRequest): Promise<FilledDatasets> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const datasets: Record<string, FilledDataset> = {};
  try {
    for (const { name, columns, file } of tables) {
      const cells = columns.map(({ name: column, type }) =>
        type === "datetime" ? spelledDate(column) : column,
      );
      const from = `read_parquet(${sqlText(file)}, file_row_number = true)`;
      const batches = await connection.stream(
        `select '[' || string_agg(json_array(${cells.join(", ")})::varchar, ',') || ']'
           from ${from} group by file_row_number // ${rowsPerPush} order by file_row_number // ${rowsPerPush}`,
      );
      let id: string | undefined;
      for await (const chunk of batches.yieldRows())
        for (const [data] of chunk) {
          const header = columns.map((column) => column.name);
          const properties =
            id === undefined
              ? { type: "create", options: { header, name: { en: name } } }
              : { type: "append", securable_id: id };
          const answer = (await push(properties, String(data))) as {
            readonly rows: readonly { readonly id: string }[];
          };
          id ??= answer.rows[0]?.id;
        }
      if (id === undefined) throw new Error(`the table ${name} is empty`);
      datasets[name] = { id, columnIds: await columnsOf(client, id) };
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  for (const { table, left, right } of part.links)
    await client.associate("column", String(datasets[table]?.columnIds[right]), {
      role: "Joins",
      id: String(datasets[left.table]?.columnIds[left.name]),
    });
  return datasets;
}

/** Writes a datetime as ISO 8601, and a date without a time. */
function spelledDate(column: string): string {
  return `case when typeof(${column}) = 'DATE' then strftime(${column}, '%Y-%m-%d') else strftime(${column}, '%Y-%m-%dT%H:%M:%S.%gZ') end`;
}
