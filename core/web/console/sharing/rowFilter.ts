import { isList, isRecord, type Api } from "../api/index.ts";
import { isolated } from "../language/index.ts";
import { describeFilter as describe, loadFilterWords, rowCountOf } from "../questions/index.ts";
import { words } from "./words.ts";

/** A row filter of a share. */
export interface RowFilter {
  readonly securable_id: string;
  readonly column_id: string;
  readonly expression: string;
  readonly value?: unknown;
}

/** Returns the filter that lets only rows with one of the given values pass. */
export const oneOf = (
  datasetId: string,
  columnId: string,
  values: readonly unknown[],
): RowFilter => ({
  securable_id: datasetId,
  column_id: columnId,
  expression: "? in ?",
  value: values,
});

/** Returns the values that a filter lets pass; undefined if it tests anything but equality. */
export function valuesOf({ expression, value }: RowFilter): readonly unknown[] | undefined {
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
  return describe({ id: filter.column_id, test: expression, value }, column, isolated);
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
    options: { cells: "plain" },
  };
  const answer = await api.call<{ readonly data: readonly (readonly unknown[])[] }>(
    "data",
    "get",
    { find: { queries: [query] } },
    { signal },
  );
  return Number(answer.data[0]?.[0] ?? 0);
}

/** Returns the names of columns by id, and loads the words in which filters are described. */
export async function readColumnNames(
  api: Api,
  ids: readonly string[],
  nameOf: (column: { readonly id: string; readonly name: unknown }) => string,
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const [{ rows }] = await Promise.all([
    api.get<{ readonly id: string; readonly name: unknown }>("column", {
      where: { id: [...new Set(ids)] },
      attributes: ["id", "name"],
      limit: 1_000,
    }),
    loadFilterWords(),
  ]);
  return new Map(rows.map((column) => [column.id, nameOf(column)]));
}
