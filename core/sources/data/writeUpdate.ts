import {
  PluginError,
  type Batch,
  type BatchColumn,
  type NamedBatch,
  type UpdateCounts,
  type UpdateRefusal,
} from "../../../plugins/protocol/index.ts";
import { ApiError, type Connection, type ResourceRow } from "../../base/index.ts";
import { sizeOfBatch } from "../../queries/index.ts";
import type { PushContext } from "./createDataset.ts";
import type { ColumnMatch } from "./matchColumns.ts";
import type { Measures } from "./measureColumns.ts";
import { measureUpdated } from "./measureUpdated.ts";
import { invalidData, listRows } from "./updateKey.ts";
import type { UpdateOptions } from "./updateOptions.ts";

/** The counts of an update without rows. */
export const noCounts: UpdateCounts = { updated: 0, inserted: 0, deleted: 0, ignored: 0 };

/**
 * Refuses an update of a dataset that has no columns, and of a store that cannot update.
 * @throws {ApiError} MEMBER_INVALID, CONFLICT
 */
export function refuseUpdate(
  store: Pick<Connection, "capabilities" | "name">,
  existing: readonly ResourceRow<"column">[],
  { id }: ResourceRow<"securable">,
): void {
  if (existing.length === 0)
    throw new ApiError("MEMBER_INVALID", [
      "properties.securable_id",
      `the dataset ${id} has no columns yet; push its first rows with create and type append`,
    ]);
  if (!store.capabilities.update)
    throw new ApiError("CONFLICT", [
      `the store ${store.name} cannot change rows by key; replace the rows with create and type replace`,
    ]);
}

/** Returns the columns of the key, in the order of the key, among the columns of a batch. */
export function keyColumns(
  key: ColumnMatch["targets"],
  { targets }: Pick<ColumnMatch, "targets">,
  { columns }: Batch,
): readonly BatchColumn[] {
  const positions = new Map(targets.map(({ id }, index) => [id, index]));
  return key.flatMap(({ id }) => columns[positions.get(id) ?? -1] ?? []);
}

/** An update whose rows are encoded for the store. */
interface EncodedUpdate extends Pick<UpdateOptions, "missing" | "deletes"> {
  /** Id of the dataset. */
  readonly id: string;
  readonly key: ColumnMatch["targets"];
  readonly rows: NamedBatch;
  /** The columns of the dataset. */
  readonly columns: readonly ResourceRow<"column">[];
}

/**
 * Changes rows of the store by key, as one version, and measures the dataset again. Undefined if there are no rows.
 * @throws {ApiError} MEMBER_INVALID for rows that the store refuses to change
 */
export async function writeUpdate(
  { id, key, missing, deletes, rows, columns }: EncodedUpdate,
  store: Connection,
  context: PushContext,
): Promise<
  | {
      readonly rowCount: number;
      readonly byteCount: number;
      readonly counts: UpdateCounts;
      readonly measures: ReadonlyMap<string, Measures>;
    }
  | undefined
> {
  if (rows.batch.rowCount === 0) return undefined;
  const ids = key.map((target) => target.id);
  const written = { action: "update" as const, id, rows, key: ids, missing, deletes };
  const { rowCount, counts, refused } = await store.write(written, context.caller);
  if (refused) throw refusalOf(refused);
  if (!counts) throw new PluginError("PLUGIN_BAD_ANSWER", ["the store did not return counts"]);
  const update = { datasetId: id, columns, rowCount, counts, written };
  return {
    rowCount,
    byteCount: sizeOfBatch(rows.batch),
    counts,
    measures: await measureUpdated(update, { ...context, store }),
  };
}

function refusalOf({ reason, rows }: UpdateRefusal): ApiError {
  return invalidData(
    reason === "missing"
      ? `no stored row has the key of ${listRows(rows)}; set options.missing to insert or ignore, or leave these rows out`
      : `several stored rows have the key of ${listRows(rows)}, and the header does not name all columns, so that their other values would be lost; name all columns in options.header`,
  );
}
