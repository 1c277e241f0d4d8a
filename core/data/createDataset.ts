import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import type { Principal, Caller, Connections, Records, ResourceRow } from "../contracts/index.ts";
import type { Log } from "../catalog/index.ts";
import { writeAudit } from "../audit/index.ts";
import type { Outbox } from "../outbox/index.ts";
import { measureVector, noMeasures } from "./measureColumns.ts";
import { encodeInTurns } from "./encodeRows.ts";
import { newColumns, newTarget } from "./matchColumns.ts";
import type { Push } from "./parsePush.ts";
import { storageMembers } from "./storageMembers.ts";

/** A dataset as a push leaves it, with its columns in their order. */
export interface PushedDataset {
  readonly securable: ResourceRow<"securable">;
  readonly columns: readonly ResourceRow<"column">[];
  /** About columns that the push made. */
  readonly warnings: readonly string[];
}

/**
 * Refuses to remove columns that filters on rows depend on, unless the caller may change those filters.
 * @throws {ApiError} FORBIDDEN
 */
export type RefuseFilteredColumns = (
  datasetId: string,
  columnIds: readonly string[],
  keptBy: {
    readonly records: Records;
    readonly principal: Principal;
    readonly knex: Knex;
    readonly transaction: Knex.Transaction;
  },
) => Promise<void>;

export interface PushContext {
  readonly records: Records;
  readonly connections: Pick<Connections, "store">;
  readonly outbox: Pick<Outbox, "guard">;
  readonly refuseFilteredColumns: RefuseFilteredColumns;
  readonly principal: Principal;
  readonly requestId: string;
  readonly caller: Caller;
  readonly log: Pick<Log, "warn">;
}

/**
 * Makes a dataset of the caller's from pushed rows: its records, and its rows in the store. A failure of
 * either leaves nothing: the outbox drops the rows, after a crash too.
 * @throws {ApiError} DATA_CELL_INVALID, MEMBER_MISSING when there is neither row nor header
 */
export async function createDataset(push: Push, context: PushContext): Promise<PushedDataset> {
  const { records, connections, outbox, principal, caller } = context;
  const { store } = connections;
  const id = randomUUID();
  const { columns, warnings } = newColumns(push, id, principal.userId);
  const vectors = await encodeInTurns(push.rows, columns.map(newTarget));
  const measured = columns.map((column, position) => {
    const vector = vectors[position];
    return { ...column, ...(vector ? measureVector(vector) : noMeasures) };
  });
  const write = async () => {
    await store.write(
      {
        action: "create",
        id,
        columns: columns.map((column) => ({ id: column.id, type: column.type })),
      },
      caller,
    );
    if (push.rows.length === 0) return;
    const columnIds = columns.map((column) => column.id);
    const batch = { rowCount: push.rows.length, columns: vectors };
    await store.write({ action: "append", id, rows: { columnIds, batch } }, caller);
  };
  const commit = async (transaction: Knex.Transaction) => {
    const securable = await records.insert(
      "securable",
      {
        id,
        type: "dataset",
        subtype: "api",
        name: push.name ?? { en: "Pushed data" },
        storage: store.name,
        uses_strata_experimental: true,
        owner_id: principal.userId,
        modifier_id: principal.userId,
        rows: push.rows.length,
        ...storageMembers(columns),
      },
      transaction,
    );
    const inserted = await records.insertMany("column", measured, transaction);
    const event = { action: "create", resource: "data", recordId: id } as const;
    await writeAudit(records, context, event, transaction);
    return { securable, columns: inserted, warnings };
  };
  return outbox.guard(
    { action: "drop", securableId: id },
    { prepare: async () => undefined, write, commit },
  );
}
