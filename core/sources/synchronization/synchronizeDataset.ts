import type { Knex } from "knex";
import { type Column, type Dataset, PluginError } from "../../../plugins/protocol/index.ts";
import { writeAudit } from "../../catalog/index.ts";
import {
  ApiError,
  type Caller,
  type Connection,
  type Connections,
  type Principal,
  type Records,
  type ResourceRow,
} from "../../base/index.ts";
import { statementOf } from "../../queries/index.ts";
import { columnFormat, readRemoved } from "../../resources/index.ts";
import { compareColumns, type ColumnChanges } from "./compareColumns.ts";
import { findUses, type ColumnUses } from "./findUses.ts";
import { recordSynced } from "./recordSynced.ts";

/** A column of a report. */
interface NamedColumn {
  readonly id: string;
  readonly source_name: string | null;
  readonly name: unknown;
}

/** The result of a synchronization, in wire form. */
export interface SyncReport extends ColumnUses {
  readonly securable_id: string;
  /** Whether the source answered and still has the dataset. */
  readonly synced: boolean;
  /** Why the dataset was not synchronized. */
  readonly reason?: string;
  readonly added: readonly NamedColumn[];
  /**
   * Columns that the source no longer has. These columns and the records that use them are kept. Queries that need such
   * a column fail.
   */
  readonly missing: readonly NamedColumn[];
  readonly returned: readonly NamedColumn[];
  readonly retyped: readonly (NamedColumn & { readonly from: string; readonly to: string })[];
}

export interface SyncContext {
  readonly records: Records;
  readonly connections: Pick<Connections, "ofAccount">;
  readonly knex: Knex;
}

export interface SyncCall {
  readonly principal: Principal;
  readonly requestId: string;
  /** The IP address of the caller; undefined for scheduled work. */
  readonly address: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Updates the columns of a live dataset from its source, with the credentials of its connection. Deletes nothing. If
 * the source does not answer or no longer has the dataset, only the time of the attempt changes, and the report
 * contains the reason.
 */
export async function synchronizeDataset(
  dataset: ResourceRow<"securable">,
  context: SyncContext,
  call: SyncCall,
): Promise<SyncReport> {
  const { records, knex } = context;
  const { principal } = call;
  const at = new Date();
  const unchanged = { added: [], missing: [], returned: [], retyped: [] };
  const described = await describe(dataset, context, call).catch((failure: unknown) => {
    if (failure instanceof PluginError || failure instanceof ApiError) return failure;
    throw failure;
  });
  if (described instanceof Error || !described) {
    await records.change("securable", dataset.id, { last_metadata_sync_attempt_at: at });
    await recordSynced(String(dataset.account_id), records);
    const columns = await records.find("column", { securable_id: dataset.id });
    const changed = described ? [] : columns.map(({ id }) => id);
    const uses = await findUses({
      datasetId: dataset.id,
      changed,
      columns,
      records,
      knex,
      principal,
    });
    const reason = described
      ? described.message
      : `the connection no longer offers ${JSON.stringify(String(dataset.source_sheet).slice(0, 200))}`;
    return { securable_id: dataset.id, synced: false, reason, ...unchanged, ...uses };
  }
  const { changes, added, columns } = await records.transaction(async (transaction) => {
    // Locks the record, so that the second of two concurrent synchronizations sees the changes of the first.
    await records.change("securable", dataset.id, {}, transaction);
    const rows = await records.find("column", { securable_id: dataset.id }, transaction);
    const isRemoved = await readRemoved(dataset.id, transaction);
    const compared = compareColumns(rows, described.columns, ({ id }) => isRemoved(id), at);
    for (const [id, values] of compared.written)
      await records.change("column", id, values, transaction);
    const inserted = await addColumns(dataset, rows, compared, { records, principal, transaction });
    await records.change(
      "securable",
      dataset.id,
      {
        last_metadata_sync_at: at,
        last_metadata_sync_attempt_at: at,
        ...(described.rows !== undefined && { rows: described.rows }),
      },
      transaction,
    );
    const event = { action: "update", resource: "securable", recordId: dataset.id } as const;
    await writeAudit(records, call, { ...event, members: ["update_metadata"] }, transaction);
    return { changes: compared, added: inserted, columns: rows };
  });
  await recordSynced(String(dataset.account_id), records);
  const { missing, returned, retyped } = changes;
  // Also lists columns that went missing in an earlier synchronization and are still used.
  const gone = columns.filter((row) => row.missing_since && !returned.includes(row));
  const changed = [...missing, ...gone, ...retyped.map(({ row }) => row)].map(({ id }) => id);
  const uses = await findUses({
    datasetId: dataset.id,
    changed,
    columns,
    records,
    knex,
    principal,
  });
  return {
    securable_id: dataset.id,
    synced: true,
    added: added.map(named),
    missing: [...missing, ...gone].map(named),
    returned: returned.map(named),
    retyped: retyped.map(({ row, type }) => ({ ...named(row), from: String(row.type), to: type })),
    ...uses,
  };
}

const named = ({ id, source_name, name }: ResourceRow<"column">): NamedColumn => ({
  id,
  source_name,
  name,
});

interface Described {
  readonly columns: readonly Column[];
  readonly rows?: number | undefined;
}

/** Returns the current description of the dataset by its source; undefined if the source no longer has the dataset. */
async function describe(
  dataset: ResourceRow<"securable">,
  { connections }: SyncContext,
  { principal, signal }: SyncCall,
): Promise<Described | undefined> {
  const connection = await connections.ofAccount(String(dataset.account_id));
  const { userId: id, name, email } = principal;
  const caller = { signal, user: { id, name, email } };
  if (dataset.source_query) return describeStatement(dataset, connection, caller);
  const only = [String(dataset.source_sheet)];
  const offered: readonly Dataset[] = await connection.datasets(caller, only);
  return offered.find((each) => each.id === dataset.source_sheet);
}

async function describeStatement(
  dataset: ResourceRow<"securable">,
  connection: Connection,
  caller: Caller,
): Promise<Described> {
  const statement = statementOf(dataset, {});
  if (!statement || !connection.describe)
    throw new PluginError("PLUGIN_NOT_OFFERED", ["statements"]);
  return { columns: await connection.describe(statement, caller) };
}

interface Writing {
  readonly records: Records;
  readonly principal: Principal;
  readonly transaction: Knex.Transaction;
}

/** Adds new columns of the source, after the existing columns. */
async function addColumns(
  { id: securable_id }: ResourceRow<"securable">,
  rows: readonly ResourceRow<"column">[],
  { added }: ColumnChanges,
  { records, principal, transaction }: Writing,
): Promise<readonly ResourceRow<"column">[]> {
  if (added.length === 0) return [];
  const first = Math.max(-1, ...rows.map(({ order }) => Number(order))) + 1;
  return records.insertMany(
    "column",
    added.map(({ column, place }, index) => ({
      securable_id,
      user_id: principal.userId,
      source_name: column.id,
      source_order: place,
      order: first + index,
      name: column.name,
      type: column.type,
      subtype: column.subtype ?? null,
      narrowed: column.narrowed ?? null,
      ...columnFormat(column.type, column.subtype, column.id),
    })),
    transaction,
  );
}
