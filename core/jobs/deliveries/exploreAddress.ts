import { isList, isObject, isUuid } from "../../base/index.ts";
import { aggregationOf, type ColumnUse } from "./fieldOf.ts";

/** Maximum number of characters of an address. Mail programs cut longer links. */
const longest = 1_800;

/**
 * Returns the path in the console that shows a query in Explore, with its filters on rows. Undefined if Explore cannot
 * show the whole query, because a link with only some of the filters would show other numbers.
 */
export function exploreAddress(query: unknown): string | undefined {
  if (!isObject(query)) return undefined;
  const { dimensions = [], measures = [], where = [], from } = query;
  if (!isList(dimensions) || !isList(measures) || !isList(where) || (from ?? null) !== null)
    return undefined;
  const rows = dimensions.map(groupingOf);
  const values = measures.map(measureOf);
  const filters = where.map(filterOf);
  const uses = [...dimensions, ...measures, ...where.map(columnOfTest)];
  const datasets = new Set(
    uses.map((each) => (isObject<"dataset_id">(each) ? each.dataset_id : undefined)),
  );
  const [datasetId] = datasets;
  if (datasets.size !== 1 || typeof datasetId !== "string" || !isUuid(datasetId)) return undefined;
  if ([...rows, ...values, ...filters].includes(undefined)) return undefined;
  const question = JSON.stringify({ rows, measures: values, filters, chart: "" });
  const path = `/explore/${datasetId}?q=${encodeURIComponent(question)}`;
  return path.length > longest ? undefined : path;
}

/** Returns whether a reference has only members that Explore can show. */
const isShown = (use: ColumnUse, known: readonly string[]): boolean =>
  typeof use.column_id === "string" &&
  Object.entries(use).every(
    ([member, value]) => value === null || member === "dataset_id" || known.includes(member),
  );

function groupingOf(use: unknown): object | undefined {
  if (!isObject(use) || !isShown(use, ["column_id", "level"])) return undefined;
  const { column_id: id, level } = use;
  return { id, ...(typeof level === "number" && level > 0 && { level }) };
}

function measureOf(use: unknown): object | undefined {
  if (!isObject(use) || !isShown(use, ["column_id", "aggregation"])) return undefined;
  const { column_id: id, aggregation } = use;
  const type = aggregationOf(use) ?? (id === "*" ? "count" : undefined);
  const isPlain = !isObject(aggregation) || Object.keys(aggregation).length === 1;
  return type === undefined || !isPlain ? undefined : { id, aggregation: type };
}

function columnOfTest(test: unknown): unknown {
  const { parameters } = isObject(test) ? test : {};
  return isList(parameters) ? parameters[0] : undefined;
}

function filterOf(test: unknown): object | undefined {
  if (!isObject(test)) return undefined;
  const { expression, parameters } = test;
  if (typeof expression !== "string" || !isList(parameters) || parameters.length > 2)
    return undefined;
  const [column, value] = parameters;
  if (!isObject<"column_id">(column) || !isShown(column, ["column_id"])) return undefined;
  // A parameter has a value only in the token of a reader.
  if (isObject(value) && "parameter" in value) return undefined;
  return { id: column.column_id, test: expression, ...(value !== undefined && { value }) };
}
