import { PluginError, type NamedBatch, type WriteResult } from "../../../plugins/protocol/index.ts";
import { quote } from "../quote.ts";
import { insertOnce } from "./insertOnce.ts";
import type { StoreServer } from "./storeServer.ts";
import { draftMark, writeColumn } from "./storedTables.ts";
import type { RowUpdate } from "./storeTables.ts";
import { dropping } from "./tableStatements.ts";
import { textParameter } from "../parameters.ts";
import { untilCertain, type CertaintyOptions } from "./untilCertain.ts";

/** What an update does, and the table that contains the rows after it. */
export interface DraftedUpdate extends Pick<WriteResult, "counts" | "refused"> {
  /** Name of the draft that must take the place of the dataset's table; absent if nothing changes. */
  readonly draft?: string;
}

/** The column of the table of pushed rows that contains their numbers, from 0. */
const rowColumn = "manifold row";
/** Deadline in milliseconds for dropping the table of pushed rows. */
const dropMs = 10_000;
/** Deletes take effect before the statement ends. */
const deleting = { settings: { mutations_sync: 1, lightweight_deletes_sync: 1 } };

/**
 * Prepares an update of rows by key: a draft shares the stored parts of the table (hard links), without the rows that
 * the update replaces or deletes, and with its own rows. Nobody sees the draft before it is exchanged for the table.
 * The caller drops it.
 * @throws {PluginError} and errors of the server
 */
export async function draftUpdate(
  server: StoreServer,
  update: RowUpdate,
  { database, name }: { readonly database: string; readonly name: string },
  options: CertaintyOptions,
): Promise<DraftedUpdate> {
  const { id, writeId, rows, key, columns, missing, deletes } = update;
  const { signal } = options;
  const nameOf = (table: string) => `${quote(database)}.${quote(table)}`;
  const draft = `${id}${draftMark}${writeId}`;
  const pushed = `${draft}${draftMark}rows`;
  const run = (statement: string, more = {}) => server.run(statement, signal, more);
  const stored = `${nameOf(id)} as l`;
  const on = key.map((column) => `l.${quote(column)} = k.${quote(column)}`).join(" and ");
  try {
    await untilCertain(() => run(pushedStatement(nameOf(pushed), update)), options);
    await insertOnce(
      server,
      { table: nameOf(pushed), rows: numbered(rows), writeId, name },
      options,
    );
    const found = await untilCertain(
      () =>
        server.rows(
          `select k.${quote(rowColumn)}, count() from ${stored} inner join ${nameOf(pushed)} as k on ${on} group by 1`,
          {},
          signal,
        ),
      options,
    );
    const foundCounts = new Map(found.map(([row, count]) => [Number(row), Number(count)]));
    const numbers = Array.from({ length: rows.batch.rowCount }, (_, row) => row);
    const absent = numbers.filter((row) => !foundCounts.has(row));
    if (missing === "refuse" && absent.length > 0)
      return { refused: { reason: "missing", rows: absent } };
    const kept = [...columns.keys()].filter((column) => !rows.columnIds.includes(column));
    const repeated = numbers.filter((row) => (foundCounts.get(row) ?? 0) > 1);
    if (!deletes && kept.length > 0 && repeated.length > 0)
      return { refused: { reason: "repeated", rows: repeated } };
    let foundCount = 0;
    for (const count of foundCounts.values()) foundCount += count;
    const updated = deletes ? 0 : foundCounts.size;
    const inserted = !deletes && missing === "insert" ? absent.length : 0;
    const counts = {
      updated,
      inserted,
      deleted: foundCount - updated,
      ignored: absent.length - inserted,
    };
    if (foundCount + inserted === 0) return { counts };
    const keyList = key.map(quote).join(", ");
    const names = [...rows.columnIds, ...kept, writeColumn].map(quote).join(", ");
    const written = `'${textParameter(writeId)}'`;
    const own = rows.columnIds.map((column) => `k.${quote(column)}`);
    const among = (list: readonly number[]) =>
      list.length === 0 ? "" : ` where k.${quote(rowColumn)} in (${list.join(", ")})`;
    const selects = deletes
      ? []
      : kept.length === 0
        ? [
            `select ${[...own, written].join(", ")} from ${nameOf(pushed)} as k${
              inserted < absent.length ? among([...foundCounts.keys()]) : ""
            }`,
          ]
        : [
            `select ${[...own, ...kept.map((column) => `l.${quote(column)}`), written].join(", ")} from ${stored} inner join ${nameOf(pushed)} as k on ${on}`,
            ...(inserted > 0
              ? [
                  `select ${[...own, ...kept.map(() => "null"), written].join(", ")} from ${nameOf(pushed)} as k${among(absent)}`,
                ]
              : []),
          ];
    await untilCertain(async () => {
      // A repeated attempt starts again, because an earlier one may have added parts.
      await run(`drop table if exists ${nameOf(draft)} sync`, dropping);
      await run(
        `create table ${nameOf(draft)} as ${nameOf(id)} comment '${textParameter(writeId)}'`,
      );
      await run(`alter table ${nameOf(draft)} attach partition tuple() from ${nameOf(id)}`);
      if (foundCount > 0)
        await run(
          `delete from ${nameOf(draft)} where (${keyList}) in (select ${keyList} from ${nameOf(pushed)})`,
          deleting,
        );
      for (const select of selects) await run(`insert into ${nameOf(draft)} (${names}) ${select}`);
    }, options);
    return { counts, draft };
  } finally {
    await server
      .run(`drop table if exists ${nameOf(pushed)}`, AbortSignal.timeout(dropMs), dropping)
      .catch(() => undefined);
  }
}

/** Returns the statement that creates the table of pushed rows. Its columns have the types of the stored columns. */
function pushedStatement(table: string, { rows, columns }: RowUpdate): string {
  const defined = rows.columnIds.map((id) => {
    const native = columns.get(id);
    if (native === undefined) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [table, id]);
    return `${quote(id)} ${native}`;
  });
  const all = [...defined, `${quote(rowColumn)} Int32`, `${quote(writeColumn)} String`].join(", ");
  return `create table if not exists ${table} (${all}) engine = MergeTree order by tuple()
settings non_replicated_deduplication_window = 10`;
}

function numbered({ columnIds, batch }: NamedBatch): NamedBatch {
  const values = Float64Array.from({ length: batch.rowCount }, (_, row) => row);
  return {
    columnIds: [...columnIds, rowColumn],
    batch: { ...batch, columns: [...batch.columns, { type: "numeric", values }] },
  };
}
