import { ApiError, type Records, type ResourceRow } from "../../base/index.ts";
import { sourceColumns, statementOf } from "../../queries/index.ts";
import {
  dataTypeOf,
  type KnownDataset,
  type WriteColumn,
} from "../../../plugins/protocol/index.ts";

/** A column of a copy: its id in the catalog and the copy, and its name in the source. */
export interface CopyColumn extends WriteColumn {
  readonly source_name: string;
}

/** The rows that a load reads, and how they change the copy. */
export interface LoadPlan {
  readonly dataset: ResourceRow<"securable">;
  readonly source: KnownDataset;
  readonly columns: readonly CopyColumn[];
  /** A string that stands for the settings of the copy. Settings that lead to different copies have different keys. */
  readonly settings: string;
  readonly rowsPerSecond: number;
  /** Index of the column that deltas use; -1 if there is none. */
  readonly timePlace: number;
  /** Index of the column that marks rows as deleted. Deleted rows are not copied. */
  readonly deletedPlace: number | undefined;
  /** How the delta is read; absent for a full load. */
  readonly delta?: DeltaPlan;
}

/** How a delta is read. Places are indexes into `columns`. */
export interface DeltaPlan {
  readonly strategy: "insert" | "insert-update" | "insert-update-delete";
  /** Index of the column whose newest instants are read again. */
  readonly timePlace: number;
  /** The source's name of the column at `timePlace`. */
  readonly timeName: string;
  readonly fromMs: number;
  readonly keyPlaces: readonly number[];
  readonly deletedPlace: number | undefined;
}

/** Time after which a load of type full-delta reads all rows again. */
const fullEveryMs = 24 * 3_600_000;

/**
 * Plans the load of a dataset. Undefined if the dataset is no longer accelerated.
 * @throws {ApiError} ACCELERATION_REFUSED for settings that cannot be applied
 */
export async function planLoad(
  copy: ResourceRow<"datasetcopy">,
  records: Records,
  nowMs: number,
): Promise<LoadPlan | undefined> {
  const [dataset] = await records.find("securable", { id: copy.securable_id });
  const [acceleration] = await records.find("acceleration", { id: dataset?.acceleration_id });
  if (!dataset || !acceleration) return undefined;
  const rows = await records.find("column", { securable_id: dataset.id });
  const present = rows.filter(({ expression, missing_since }) => !expression && !missing_since);
  if (present.length === 0) throw refusal(dataset.id, "it has no columns from its source");
  const columns = present
    .toSorted((one, other) => Number(one.order) - Number(other.order))
    .map(({ id, type, source_name }): CopyColumn => {
      return { id, type: dataTypeOf(type), source_name: String(source_name) };
    });
  const statement = statementOf(dataset, {});
  const source = {
    id: statement ? dataset.id : String(dataset.source_sheet),
    columns: sourceColumns(rows, true),
    ...(statement && { statement }),
  };
  const settings = JSON.stringify([
    acceleration.data_storage_strategy,
    acceleration.created_at_column_id,
    acceleration.updated_at_column_id,
    acceleration.deleted_at_column_id,
    acceleration.primary_key_column_ids,
    dataset.source_sheet,
    dataset.source_query,
    dataset.account_id,
  ]);
  const isSame =
    copy.settings === settings &&
    JSON.stringify(copy.columns) === JSON.stringify(columns.map(namedColumn));
  const delta = deltaOf(acceleration, columns, dataset.id, copy.newest_at?.getTime());
  const isFullDue =
    acceleration.load_type === "full-delta" &&
    nowMs - (copy.full_at?.getTime() ?? 0) >= fullEveryMs;
  const isDelta = delta && isSame && copy.copy_id !== null && !isFullDue;
  return {
    dataset,
    source,
    columns,
    settings,
    rowsPerSecond: acceleration.rows_per_second ?? Infinity,
    timePlace: delta?.timePlace ?? -1,
    deletedPlace: deletedPlaceOf(acceleration, columns),
    ...(isDelta && delta.fromMs > -Infinity && { delta }),
  };
}

/**
 * Returns a column in the form of the copy's record, with the member order of jsonb: by length, then alphabetically.
 */
export const namedColumn = ({ id, type, source_name }: CopyColumn) => ({ id, type, source_name });

function deletedPlaceOf(
  { data_storage_strategy, deleted_at_column_id }: ResourceRow<"acceleration">,
  columns: readonly CopyColumn[],
): number | undefined {
  const place = columns.findIndex(({ id }) => id === deleted_at_column_id);
  return data_storage_strategy === "insert-update-delete" && place >= 0 ? place : undefined;
}

function deltaOf(
  acceleration: ResourceRow<"acceleration">,
  columns: readonly CopyColumn[],
  datasetId: string,
  newestMs = -Infinity,
): DeltaPlan | undefined {
  const { load_type, primary_key_column_ids } = acceleration;
  if (load_type === "full") return undefined;
  const keyIds = primary_key_column_ids ?? [];
  const strategy =
    acceleration.data_storage_strategy ?? (keyIds.length > 0 ? "insert-update" : "insert");
  const { created_at_column_id: createdId, updated_at_column_id: updatedId } = acceleration;
  const timeId = strategy === "insert" ? (createdId ?? updatedId) : (updatedId ?? createdId);
  const timePlace = columns.findIndex(({ id }) => id === timeId);
  if (timePlace < 0 || columns[timePlace]?.type !== "datetime")
    throw refusal(
      datasetId,
      `a load of type ${load_type} needs updated_at_column_id or created_at_column_id to be a datetime column that the source still has`,
    );
  const keyPlaces = keyIds.map((id) => columns.findIndex((column) => column.id === id));
  if (strategy !== "insert" && (keyPlaces.length === 0 || keyPlaces.includes(-1)))
    throw refusal(
      datasetId,
      `the strategy ${strategy} needs primary_key_column_ids to contain columns that the source still has`,
    );
  return {
    strategy,
    timePlace,
    timeName: columns[timePlace].source_name,
    fromMs: newestMs - acceleration.overlap_seconds * 1000,
    keyPlaces: strategy === "insert" ? [] : keyPlaces,
    deletedPlace: deletedPlaceOf(acceleration, columns),
  };
}

export const refusal = (id: string, why: string): ApiError =>
  new ApiError("ACCELERATION_REFUSED", [id, why]);
