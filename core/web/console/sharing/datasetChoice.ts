import { readerLanguage } from "../language/index.ts";
import type { Holder } from "./access.ts";
import { describeFilter, oneOf, valuesOf, type RowFilter } from "./rowFilter.ts";
import type { words } from "./words.ts";

/** Which rows of a dataset a share shows: every row, chosen rows, the rows of the stored filters, or none. */
export type RowMode = keyof typeof words.modes;

/** What the reader has chosen for one dataset. */
export interface DatasetChoice {
  readonly datasetId: string;
  readonly mode: RowMode;
  readonly columnId: string;
  readonly values: ReadonlySet<unknown>;
  /** The stored share; undefined for a new one. */
  readonly stored: Holder | undefined;
}

/**
 * Returns the choice for a dataset before the reader changes it. Whoever gets the dashboard gets every row, so that no
 * dashboard is shared without its data by accident.
 */
export function firstChoice(
  datasetId: string,
  stored: Holder | undefined,
  isNew: boolean,
): DatasetChoice {
  const filters = stored?.filters ?? [];
  const [filter] = filters;
  const values = filters.length === 1 && filter ? valuesOf(filter) : undefined;
  const mode: RowMode = stored
    ? filters.length === 0
      ? "all"
      : values
        ? "some"
        : "kept"
    : isNew
      ? "all"
      : "none";
  return {
    datasetId,
    mode,
    columnId: values && filter ? filter.column_id : "",
    values: new Set(values),
    stored,
  };
}

/** Returns the filters of a choice; undefined if the dataset is not shared or the choice is incomplete. */
export function filtersOf({
  datasetId,
  mode,
  columnId,
  values,
  stored,
}: DatasetChoice): readonly RowFilter[] | undefined {
  if (mode === "all") return [];
  if (mode === "kept") return stored?.filters ?? [];
  if (mode === "some" && columnId !== "" && values.size > 0)
    return [oneOf(datasetId, columnId, [...values])];
  return undefined;
}

/** Returns whether a choice can be stored. */
export const isComplete = (choice: DatasetChoice): boolean =>
  choice.mode === "none" || filtersOf(choice) !== undefined;

/** Describes filters in words, as a list such as "Country is France and Year is 2024". */
export const describeFilters = (
  filters: readonly RowFilter[],
  columnNames: ReadonlyMap<string, string>,
): string =>
  new Intl.ListFormat(readerLanguage).format(
    filters.map((filter) => describeFilter(filter, columnNames.get(filter.column_id) ?? "…")),
  );
