import { isList, isRecord, type Api } from "../../api/index.ts";
import {
  describeFilter,
  loadFilterWords,
  nameOf,
  phraseOf,
  questionWords,
} from "../../questions/index.ts";
import { words } from "./words.ts";

/** The readable names of the columns in a stored query. */
export interface QueriedColumns {
  /** The name of each measure: its aggregation and column. */
  readonly measures: readonly string[];
  /** Dimensions that are not datetimes. */
  readonly dimensions: readonly { readonly id: string; readonly label: string }[];
  /** The filters on rows, each as a sentence. */
  readonly filters: readonly string[];
}

const listIn = (query: unknown, member: string): readonly Readonly<Record<string, unknown>>[] => {
  const list = isRecord(query) ? query[member] : undefined;
  return isList(list) ? list.filter(isRecord) : [];
};

/** Fetches the names of the columns in a query. A column that the reader cannot see is named by its id. */
export async function queriedColumns(
  api: Api,
  query: unknown,
  signal: AbortSignal,
): Promise<QueriedColumns> {
  const [measures, dimensions] = [listIn(query, "measures"), listIn(query, "dimensions")];
  const where = listIn(query, "where");
  const ids = [...measures, ...dimensions, ...where.map(columnOf)].flatMap(({ column_id: id }) =>
    typeof id === "string" && id !== "*" ? [id] : [],
  );
  const [{ rows }] = await Promise.all([
    ids.length === 0
      ? { rows: [] }
      : api.get<{ readonly id: string; readonly name: unknown }>(
          "column",
          { where: { id: [...new Set(ids)] }, attributes: ["id", "name"] },
          { signal },
        ),
    loadFilterWords(),
  ]);
  const names = new Map(rows.map((row) => [row.id, nameOf(row)]));
  const labelOf = (id: unknown) =>
    id === "*" ? questionWords.countRows : (names.get(String(id)) ?? String(id));
  return {
    measures: measures.map(({ column_id: id, aggregation }) => {
      const type = isRecord(aggregation) ? aggregation["type"] : undefined;
      return id === "*" || typeof type !== "string" ? labelOf(id) : phraseOf(type, labelOf(id));
    }),
    dimensions: dimensions
      .filter(({ level }) => !level)
      .map(({ column_id: id }) => ({ id: String(id), label: labelOf(id) })),
    filters: where.map((filter) => {
      const { expression, parameters } = filter;
      const { column_id: id } = columnOf(filter);
      if (typeof expression !== "string" || id === undefined) return words.otherFilter;
      const value: unknown = isList(parameters) ? parameters[1] : undefined;
      return describeFilter({ id: String(id), test: expression, value }, labelOf(id));
    }),
  };
}

/** Returns the reference to the column that a filter tests; empty for groups of filters. */
function columnOf({
  parameters,
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const [column] = isList(parameters) ? parameters : [];
  return isRecord(column) ? column : {};
}
