import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import type { Multilingual } from "../../../plugins/protocol/index.ts";
import type {
  Caller,
  Connections,
  Principal,
  Records,
  ResourceRow,
  WrittenValues,
} from "../../base/index.ts";
import { refuseWithout } from "../../identity/index.ts";
import {
  type Log,
  type Outbox,
  type PushedRequest,
  type Quotas,
  type Stored,
  writeAudit,
} from "../../catalog/index.ts";
import { sizeOfBatch } from "../../queries/index.ts";
import { type Measures, measureVector, noMeasures } from "./measureColumns.ts";
import { type NewColumns, newColumns, newTarget } from "./matchColumns.ts";
import type { Push } from "./parsePush.ts";
import type { NamedWrite } from "./pushRequests.ts";
import { storageMembers } from "./storageMembers.ts";

/** A dataset after a push, with its columns in order. */
export interface PushedDataset {
  readonly securable: ResourceRow<"securable">;
  readonly columns: readonly ResourceRow<"column">[];
  /** Warnings about columns that the push created. */
  readonly warnings: readonly string[];
}

/**
 * Refuses to remove columns that row filters use, unless the caller may change those filters.
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
  readonly connections: Pick<Connections, "store" | "elsewhere">;
  readonly outbox: Pick<Outbox, "guard">;
  readonly refuseFilteredColumns: RefuseFilteredColumns;
  readonly principal: Principal;
  readonly requestId: string;
  /** The IP address of the caller. */
  readonly address: string | undefined;
  readonly caller: Caller;
  /** The limits of organizations; absent if there are none. */
  readonly quotas?: Pick<Quotas, "refuseStored" | "recordSize" | "sizeOf"> | undefined;
  /** Claims the id of the call before the store is written; undefined for a call without an id. */
  readonly claim?: (securableId: string, transaction: Knex.Transaction) => Promise<CallOfPush>;
  /** Stores the answer of the call in the transaction that commits the push. */
  readonly keep?: (pushed: PushedDataset, transaction: Knex.Transaction) => Promise<void>;
  readonly log: Pick<Log, "warn">;
}

/** The id of a call that must take effect only once. */
export interface CallOfPush extends Pick<PushedRequest, "authorizationId" | "requestId"> {
  readonly write: NamedWrite;
}

/** A dataset to create, with the function that writes its rows. */
export interface NewDataset extends NewColumns {
  readonly id: string;
  readonly name: Multilingual | undefined;
  /** The rows and bytes that are known before they are written. They count towards the quotas of the organization. */
  readonly claimed: Stored;
  /** Further members of the record. */
  readonly members?: WrittenValues<"securable">;
  /** Whether `fill` adds rows. */
  readonly hasRows: boolean;
  /** Adds the rows to the new dataset in the store. */
  fill(): Promise<Filled>;
}

/** The rows that were added to a dataset. */
export interface Filled extends Stored {
  /** The statistics of the columns, by id. */
  readonly measures: ReadonlyMap<string, Measures>;
  /** Warnings about the rows. */
  readonly warnings?: readonly string[];
}

/**
 * Creates a dataset of the caller from pushed rows: its records, and its rows in the store. If either step fails, the
 * outbox removes the rows, even after a crash, so that nothing remains.
 * @throws {ApiError} DATA_CELL_INVALID, MEMBER_MISSING without rows and header, FORBIDDEN
 */
export async function createDataset(push: Push, context: PushContext): Promise<PushedDataset> {
  const { connections, principal, caller } = context;
  refuseWithout("flag_create_datasets", principal, "create a dataset");
  const id = randomUUID();
  const described = newColumns(push, id, principal.userId);
  const { columns } = described;
  const vectors = await push.rows.encode(columns.map(newTarget));
  const batch = { rowCount: push.rows.count, columns: vectors };
  const stored = { rows: push.rows.count, bytes: sizeOfBatch(batch) };
  const hasRows = push.rows.count > 0;
  return insertDataset(
    {
      id,
      name: push.name,
      ...described,
      claimed: stored,
      hasRows,
      async fill() {
        const columnIds = columns.map((column) => column.id);
        if (hasRows)
          await connections.store.write(
            { action: "append", id, rows: { columnIds, batch } },
            caller,
          );
        const measures = columns.map((column, position) => {
          const vector = vectors[position];
          return [column.id, vector ? measureVector(vector) : noMeasures] as const;
        });
        return { ...stored, measures: new Map(measures) };
      },
    },
    context,
  );
}

/**
 * Creates the records and the rows of a dataset. Nobody sees the dataset before its last row is stored. If a step
 * fails, the outbox removes the rows, even after a crash.
 * @throws {ApiError} QUOTA_FULL, and the errors of `fill`
 */
export async function insertDataset(
  dataset: NewDataset,
  context: PushContext,
): Promise<PushedDataset> {
  const { records, connections, outbox, principal, caller } = context;
  const { id, columns, claimed, hasRows } = dataset;
  const { store } = connections;
  const { organizationId } = principal;
  const write = async () => {
    await store.write(
      {
        action: "create",
        id,
        columns: columns.map((column) => ({ id: column.id, type: column.type })),
        rowsFollow: hasRows,
      },
      caller,
    );
    return dataset.fill();
  };
  const commit = async (transaction: Knex.Transaction, _: undefined, filled: Filled) => {
    const securable = await records.insert(
      "securable",
      {
        id,
        type: "dataset",
        subtype: "api",
        name: dataset.name ?? { en: "Pushed data" },
        storage: store.name,
        uses_strata_experimental: true,
        owner_id: principal.userId,
        modifier_id: principal.userId,
        rows: filled.rows,
        ...dataset.members,
        ...storageMembers(columns),
      },
      transaction,
    );
    const measured = columns.map((column) => ({ ...column, ...filled.measures.get(column.id) }));
    const inserted = await records.insertMany("column", measured, transaction);
    const event = { action: "create", resource: "data", recordId: id } as const;
    await writeAudit(records, context, event, transaction);
    await context.quotas?.recordSize(transaction, id, { byteCount: filled.bytes });
    const warnings = [...dataset.warnings, ...(filled.warnings ?? [])];
    const pushed = { securable, columns: inserted, warnings };
    await context.keep?.(pushed, transaction);
    return pushed;
  };
  const claim = async (transaction: Knex.Transaction) => {
    await context.quotas?.refuseStored(organizationId, claimed, transaction);
    const call = await context.claim?.(id, transaction);
    return {
      organizationId,
      rowCount: claimed.rows,
      byteCount: claimed.bytes,
      // If the create is not committed, the outbox drops the dataset, so no rows remain.
      ...(call && { request: { ...call, rows: null } }),
    };
  };
  return outbox.guard(
    { action: "drop", securableId: id },
    { prepare: async () => undefined, claim, write, commit },
  );
}
