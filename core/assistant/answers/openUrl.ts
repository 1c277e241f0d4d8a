import { isObject, listOf, type Members } from "../../base/index.ts";
import type { KnownDataset } from "../meaning/readDatasets.ts";
import { answerRows } from "./checkQuery.ts";

/** An answer that a page of the console can show again. */
export interface ShownAnswer {
  readonly query: Members;
  /** Type of the chart. Absent: the console chooses a type. */
  readonly chart?: string;
  readonly title?: Readonly<Record<string, string>>;
}

/** The address of the console, and facts about the datasets of the query. */
export interface Shown {
  readonly publicUrl: string;
  /** Ids of the numeric columns that the query groups by. Explore bins the values of these columns. */
  readonly numericIds: ReadonlySet<string>;
}

/** Maximum length of an address in characters. Browsers and proxies refuse longer addresses. */
const longestUrl = 7_500;

/**
 * Returns the address at which the console runs a query again, with the rights of the person who opens it. The address
 * leads to Explore if its shelves can express the query, and otherwise to the Ask page. Undefined if the query is too
 * long for an address.
 */
export function openUrlOf(
  answer: ShownAnswer,
  { publicUrl, numericIds }: Shown,
): string | undefined {
  const base = publicUrl.replace(/\/+$/, "");
  const explored = exploredOf(answer, numericIds);
  const url = explored
    ? `${base}/explore/${encodeURIComponent(explored.datasetId)}?q=${encodeURIComponent(JSON.stringify(explored.question))}`
    : `${base}/ask?answer=${encodeURIComponent(JSON.stringify(kept(answer)))}`;
  return url.length > longestUrl ? undefined : url;
}

/** Removes the option that formats cells, because the console sets it itself. */
function kept({ query, ...rest }: ShownAnswer): ShownAnswer {
  const { options, ...clauses } = query;
  if (!isObject(options)) return { ...rest, query: clauses };
  const { cells: _, ...others } = options;
  const isEmpty = Object.keys(others).length === 0;
  return { ...rest, query: isEmpty ? clauses : { ...clauses, options: others } };
}

interface Explored {
  readonly datasetId: string;
  readonly question: Members;
}

const columnsOnly = ["dataset_id", "column_id"];

/** Converts a query to the format of Explore. Undefined if Explore has no shelf for a part of the query. */
function exploredOf(
  { query, chart = "" }: ShownAnswer,
  numericIds: ReadonlySet<string>,
): Explored | undefined {
  const { dimensions, from, measures, where, having, order, limit, options } = query;
  const hasFrom = (from ?? null) !== null;
  if (hasFrom || listOf(having).length > 0 || listOf(order).length > 0) return undefined;
  if (isObject(limit) && !isUsual(limit)) return undefined;
  if (isObject<"rollup_data">(options) && options.rollup_data === false) return undefined;
  const datasetIds = new Set<unknown>();
  const column = (given: unknown, others: readonly string[]): string | undefined => {
    if (!isObject<"dataset_id">(given)) return undefined;
    datasetIds.add(given.dataset_id);
    const { column_id: id } = given;
    const known = [...columnsOnly, ...others];
    return typeof id === "string" && Object.keys(given).every((each) => known.includes(each))
      ? id
      : undefined;
  };
  const rows = listOf(dimensions).map((each) => {
    const id = column(each, ["level"]);
    const level = isObject<"level">(each) ? each.level : undefined;
    return id === undefined || numericIds.has(id)
      ? undefined
      : { id, ...(level !== undefined && { level }) };
  });
  const values = listOf(measures).map((each) => {
    const id = column(each, ["aggregation"]);
    const aggregation = isObject<"aggregation">(each) ? each.aggregation : undefined;
    if (id === undefined || !isObject(aggregation)) return undefined;
    const { type, ...weight } = aggregation;
    return typeof type === "string" && Object.keys(weight).length === 0
      ? { id, aggregation: type }
      : undefined;
  });
  const filters = listOf(where).map((each) => {
    if (!isObject(each)) return undefined;
    const { expression, parameters, ...groups } = each;
    const [reference, ...given] = listOf(parameters);
    const id = column(reference, []);
    if (id === undefined || typeof expression !== "string") return undefined;
    if (given.length > 1 || given.some(isObject) || Object.keys(groups).length > 0)
      return undefined;
    return { id, test: expression, ...(given.length > 0 && { value: given[0] }) };
  });
  const all = [...rows, ...values, ...filters];
  const [datasetId] = datasetIds;
  if (all.includes(undefined) || datasetIds.size !== 1 || typeof datasetId !== "string")
    return undefined;
  // Explore would run a table of rows and its colors as two different queries.
  if (rows.length > 2 || rows.length + values.length === 0) return undefined;
  return { datasetId, question: { rows, measures: values, filters, chart } };
}

/** Lists the ids of the numeric columns of datasets. */
export function numericIdsOf(datasets: readonly KnownDataset[]): ReadonlySet<string> {
  return new Set(
    datasets.flatMap(({ columns }) =>
      columns.flatMap(({ id, type }) => (type === "numeric" ? [id] : [])),
    ),
  );
}

/** Returns whether a limit equals the one that the host sets on every answer. Explore sets its own limit. */
function isUsual({ by, offset, per }: Members): boolean {
  return !offset && !per && typeof by === "number" && by > answerRows;
}
