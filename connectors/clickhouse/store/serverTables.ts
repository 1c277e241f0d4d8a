import { quote } from "../quote.ts";
import { PluginError, type WriteColumn } from "../../../plugins/protocol/index.ts";
import { detailsOf } from "../failure.ts";
import { typesOfRows, type ColumnType } from "./columnTypes.ts";
import { endedWrites, endWrite } from "./endedWrites.ts";
import { fillDraft } from "./fillDraft.ts";
import { insertOnce } from "./insertOnce.ts";
import { draftMark, updateMark } from "./storedTables.ts";
import type { StoreServer } from "./storeServer.ts";
import type { StoreTables } from "./storeTables.ts";
import { draftUpdate } from "./updateTable.ts";
import { alterStatement, createStatement, dropping, modifyStatement } from "./tableStatements.ts";
import { untilCertain, type CertaintyOptions } from "./untilCertain.ts";
import { writesOf } from "./writesOf.ts";

export interface ServerTablesOptions {
  readonly server: StoreServer;
  readonly database: string;
  /** Deadline in milliseconds of a write. */
  readonly timeoutMs: number;
}

/** Deadline in milliseconds for dropping the draft table after its write. */
const draftMs = 10_000;

/** Stores each dataset in one table on a single server. */
export function createServerTables(given: ServerTablesOptions): StoreTables {
  const { server, database, timeoutMs } = given;
  const nameOf = (id: string) => `${quote(database)}.${quote(id)}`;
  const run = (statement: string, options: CertaintyOptions) =>
    untilCertain(() => server.run(statement, options.signal), options);
  const create = async (
    id: string,
    table: {
      readonly columns: readonly WriteColumn[];
      readonly writeId: string;
      readonly types?: ReadonlyMap<string, ColumnType>;
    },
    options: CertaintyOptions,
  ) =>
    untilCertain(
      (isRepeated) =>
        server.run(createStatement({ ...table, table: nameOf(id) }, isRepeated), options.signal),
      options,
    ).catch((failure: unknown) => {
      if (detailsOf(failure).type !== "TABLE_ALREADY_EXISTS") throw failure;
      throw new PluginError("PLUGIN_CONFLICT", [`the dataset ${id} already exists`]);
    });
  /** Makes a draft the table of a dataset. The draft then contains the previous rows. */
  const exchange = async (
    {
      id,
      draft,
      writeId,
    }: { readonly id: string; readonly draft: string; readonly writeId: string },
    options: CertaintyOptions,
  ): Promise<void> => {
    const { signal } = options;
    const queryId = `${writesOf(database, id)}${writeId}-switch`;
    try {
      await untilCertain(async (isRepeated) => {
        if (isRepeated && (await madeBy(server, { database, id }, options)) === writeId) return;
        await server.run(`exchange tables ${nameOf(id)} and ${nameOf(draft)}`, signal, { queryId });
      }, options);
    } catch (failure) {
      if (signal.aborted) await endWrite(server, queryId);
      throw failure;
    }
  };
  /** Drops a draft. If that fails, the next start drops it. */
  const dropDraft = async (draft: string): Promise<void> => {
    await server
      .run(`drop table if exists ${nameOf(draft)}`, AbortSignal.timeout(draftMs), dropping)
      .catch(() => undefined);
  };
  return {
    create: ({ id, ...table }, options) => create(id, table, options),
    async alter(id, { add, drop }, options) {
      await run(alterStatement(nameOf(id), add, drop), options);
    },
    async widen(id, types, options) {
      await run(modifyStatement(nameOf(id), types), options);
    },
    insert: ({ id, ...write }, options) =>
      insertOnce(server, { ...write, table: nameOf(id), name: writesOf(database, id) }, options),
    async replace({ id, columns, rows, writeId }, options) {
      const draft = `${id}${draftMark}${writeId}`;
      const name = writesOf(database, id);
      try {
        await create(draft, { columns, writeId, types: typesOfRows(rows) }, options);
        await insertOnce(server, { table: nameOf(draft), rows, writeId, name }, options);
        await exchange({ id, draft, writeId }, options);
      } finally {
        // The draft contains the replaced rows or, after a failure, the rows of the failed replacement.
        await dropDraft(draft);
      }
    },
    async fill({ id, types, writeId, ...fill }, options) {
      const draft = `${id}${draftMark}${writeId}`;
      const stored = types && (await madeBy(server, { database, id }, options));
      // A table with this mark may contain deleted rows, which the draft shares.
      const mark = stored?.startsWith(updateMark) ? updateMark : "";
      const filling = { ...fill, types, writeId, comment: `${mark}${writeId}` };
      const named = { table: nameOf(id), draft: nameOf(draft), name: writesOf(database, id) };
      try {
        const rowCount = await fillDraft(server, { ...filling, ...named }, options);
        await exchange({ id, draft, writeId: filling.comment }, options);
        return rowCount;
      } finally {
        await dropDraft(draft);
      }
    },
    async update(change, options) {
      const { id, writeId } = change;
      const name = writesOf(database, id);
      try {
        const { draft, ...result } = await draftUpdate(server, change, { database, name }, options);
        if (draft !== undefined) await exchange({ id, draft, writeId }, options);
        return result;
      } finally {
        await dropDraft(`${id}${draftMark}${writeId}`);
      }
    },
    async drop(id, options) {
      await untilCertain(
        (isRepeated) =>
          server.run(
            `drop table ${isRepeated ? "if exists " : ""}${nameOf(id)}`,
            options.signal,
            dropping,
          ),
        options,
      );
    },
    async rowCounts(signal) {
      const listed = await server.rows(
        `select name, total_rows, startsWith(comment, {mark:String}) from system.tables
where database = {database:String} and position(name, {draft:String}) = 0`,
        { database, mark: updateMark, draft: draftMark },
        signal,
      );
      const counts = new Map<string, number>();
      for (const [name, rowCount, isUpdated] of listed) {
        const id = String(name);
        const counted = Number(isUpdated)
          ? await server.rows(`select count() from ${nameOf(id)}`, {}, signal)
          : [[rowCount]];
        counts.set(id, Number(counted[0]?.[0] ?? 0));
      }
      return counts;
    },
    ended: (id, options) =>
      endedWrites(
        server,
        {
          name: writesOf(database, id),
          processes: "system.processes",
          onCluster: "",
          timeoutMs,
        },
        options,
      ),
  };
}

/** Returns the id of the write that created a table; undefined if the table does not exist. */
export async function madeBy(
  server: StoreServer,
  values: { readonly database: string; readonly id: string },
  options: CertaintyOptions,
): Promise<string | undefined> {
  const statement =
    "select comment from system.tables where database = {database:String} and name = {id:String}";
  const rows = await untilCertain(() => server.rows(statement, values, options.signal), options);
  return rows[0] && String(rows[0][0]);
}
