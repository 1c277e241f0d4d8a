import { isFormFilter } from "../questions/index.ts";
import type { Holder } from "./access.ts";
import type { RowFilter, RowFilterColumns } from "./rowFilter.ts";
import type { words } from "./words.ts";

/** Which rows of a dataset a share shows: every row, chosen rows, the rows of the stored filters, or none. */
export type RowMode = keyof typeof words.modes;

/** What the reader has chosen for one dataset. */
export interface DatasetChoice {
  readonly datasetId: string;
  readonly mode: RowMode;
  /** The column by which rows are chosen; "" for none. */
  readonly columnId: string;
  /** The filter of that column; undefined while it is incomplete. */
  readonly filter: RowFilter | undefined;
  /** The stored share; undefined for a new one. */
  readonly stored: Holder | undefined;
}

export interface FirstChoiceOptions {
  readonly datasetId: string;
  /** The stored share; undefined for a new one. */
  readonly stored: Holder | undefined;
  /** Whether the recipient has no share of the dashboard yet. */
  readonly isNew: boolean;
  /** The columns of the stored filters. */
  readonly columns: RowFilterColumns;
}

/**
 * Returns the choice for a dataset before the reader changes it. Whoever gets the dashboard gets every row, so that no
 * dashboard is shared without its data by accident.
 */
export function firstChoice({
  datasetId,
  stored,
  isNew,
  columns,
}: FirstChoiceOptions): DatasetChoice {
  const filter = stored && formFilterOf(stored, columns);
  return {
    datasetId,
    mode: stored ? storedMode(stored, filter) : isNew ? "all" : "none",
    columnId: filter?.column_id ?? "",
    filter,
    stored,
  };
}

function storedMode({ filters }: Holder, filter: RowFilter | undefined): RowMode {
  if ((filters ?? []).length === 0) return "all";
  return filter ? "some" : "kept";
}

/**
 * Returns the filter of a share that the form can show; undefined if the share has no filter, more than one, or one
 * that the form cannot show.
 */
function formFilterOf({ filters }: Holder, columns: RowFilterColumns): RowFilter | undefined {
  const [filter, ...others] = filters ?? [];
  if (!filter || others.length > 0) return undefined;
  const { column_id: id, expression: test, value } = filter;
  const column = columns.get(id);
  return column && !column.hidden && isFormFilter({ id, test, value }, column) ? filter : undefined;
}

/** Returns whether a share has filters that the form can only keep or replace. */
export const mustKeep = (stored: Holder | undefined, columns: RowFilterColumns): boolean =>
  stored !== undefined && storedMode(stored, formFilterOf(stored, columns)) === "kept";

/** Returns the filters of a choice; undefined if the dataset is not shared or the choice is incomplete. */
export function filtersOf({
  mode,
  filter,
  stored,
}: DatasetChoice): readonly RowFilter[] | undefined {
  if (mode === "all") return [];
  if (mode === "kept") return stored?.filters ?? [];
  return mode === "some" && filter ? [filter] : undefined;
}

/** Returns whether a choice can be stored. */
export const isComplete = (choice: DatasetChoice): boolean =>
  choice.mode === "none" || filtersOf(choice) !== undefined;
