import { isList, isRecord, type Api } from "../api/index.ts";
import { isolated, readerLanguage, textOf } from "../language/index.ts";
import {
  describeFilter as describe,
  loadFilterWords,
  rowCountOf,
  type FilteredColumn,
} from "../questions/index.ts";
import { words } from "./words.ts";

/** A row filter of a share. */
export interface RowFilter {
  readonly securable_id: string;
  readonly column_id: string;
  readonly expression: string;
  readonly value?: unknown;
}

/** The time zone with which the host computes row filters, whoever sees the rows. */
export const rowFilterZone = "UTC";

/** The columns of row filters by id. */
export type RowFilterColumns = ReadonlyMap<string, RowFilterColumn>;

/** A column of a row filter. */
export interface RowFilterColumn extends FilteredColumn {
  readonly hidden: boolean;
}

/** Returns the values that a filter lets pass; undefined if it tests anything but equality. */
function valuesOf({ expression, value }: RowFilter): readonly unknown[] | undefined {
  if (expression === "? in ?" && isList(value)) return value;
  return expression === "? = ?" && !isRecord(value) ? [value] : undefined;
}

/** Returns whether the filter's value differs from person to person, so that nobody else can evaluate it. */
const isPersonal = ({ value }: RowFilter): boolean => isRecord(value) && "parameter" in value;

const shownValues = 3;

/** Describes a filter in words, such as "Country is Belgium or France". */
export function describeFilter(filter: RowFilter, columnName: string): string {
  const { expression, value } = filter;
  const column = isolated(columnName);
  if (isPersonal(filter))
    return words.personal(column, isRecord(value) ? String(value["parameter"]) : "");
  const values = valuesOf(filter);
  if (values) {
    const names = values.map((each) => (each === null ? words.noValue : isolated(String(each))));
    const shown = names.slice(0, shownValues);
    return words.isOneOf(column, shown, names.length - shown.length);
  }
  return describe({ id: filter.column_id, test: expression, value }, column, {
    writeText: isolated,
    timezoneId: rowFilterZone,
  });
}

/**
 * Counts the rows of a dataset that pass filters, with the rights of the reader. Undefined if a filter has a value that
 * differs from person to person.
 */
export async function countRows(
  api: Api,
  datasetId: string,
  filters: readonly RowFilter[],
  signal?: AbortSignal,
): Promise<number | undefined> {
  if (filters.some(isPersonal)) return undefined;
  const query = {
    measures: [rowCountOf(datasetId)],
    ...(filters.length > 0 && {
      where: filters.map(({ column_id, expression, value }) => ({
        expression,
        parameters: [{ dataset_id: datasetId, column_id }, ...(value === undefined ? [] : [value])],
      })),
    }),
    options: { cells: "plain", timezone_id: rowFilterZone },
  };
  const answer = await api.call<{ readonly data: readonly (readonly unknown[])[] }>(
    "data",
    "get",
    { find: { queries: [query] } },
    { signal },
  );
  return Number(answer.data[0]?.[0] ?? 0);
}

/** Describes filters in words, as a list such as "Country is France and Year is 2024". */
export const describeFilters = (filters: readonly RowFilter[], columns: RowFilterColumns): string =>
  new Intl.ListFormat(readerLanguage).format(
    filters.map((filter) => describeFilter(filter, nameOfColumn(filter, columns))),
  );

/** Returns the name of a filter's column; of a column that the reader cannot see, that it is one. */
export function nameOfColumn({ column_id: id }: RowFilter, columns: RowFilterColumns): string {
  const column = columns.get(id);
  return (column && textOf(column.name)) || words.unseenColumn;
}

/** Fetches the columns of row filters, and loads the words in which the filters are described. */
export async function readFilterColumns(
  api: Api,
  filters: readonly RowFilter[],
  signal?: AbortSignal,
): Promise<RowFilterColumns> {
  const ids = [...new Set(filters.map((each) => each.column_id))];
  if (ids.length === 0) return new Map();
  const find = {
    where: { id: ids },
    attributes: ["id", "name", "type", "subtype", "minimum", "maximum", "hidden"],
    limit: ids.length,
  };
  const [{ rows }] = await Promise.all([
    api.get<RowFilterColumn>("column", find, { signal }),
    loadFilterWords(),
  ]);
  return new Map(rows.map((column) => [column.id, column]));
}
