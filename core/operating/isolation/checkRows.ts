import { createRandom, type PlainTable } from "../../../plugins/conformance/index.ts";
import {
  isDataType,
  aggregationDefinitions,
  type Aggregation,
  aggregations,
  type Cell,
} from "../../../plugins/protocol/index.ts";
import type { Allowance } from "./allowance.ts";
import type { Call } from "./createCall.ts";
import { answerBy, keepRows, rowsBeyond } from "./compareRows.ts";
import {
  type QueriedColumn,
  findOf,
  type TestQuery,
  rowsOf,
  shrink,
  type Test,
} from "./testQuery.ts";
import type { Gap, IsolationOptions, KnownRecord, Leak } from "./isolationReport.ts";

/** A dataset with the columns that at least one of the tokens lists. */
export interface DatasetSeen {
  readonly id: string;
  readonly seenBy: ReadonlySet<string>;
  readonly columns: readonly KnownRecord[];
}

interface RowsChecked extends IsolationOptions {
  readonly key: string;
  readonly call: Call;
  readonly allowance: Allowance;
  readonly dataset: DatasetSeen;
  /** All rows as the issuer sees them; undefined without an issuer or if there are too many rows. */
  readonly full: PlainTable | undefined;
}

const shownCount = 3;

/** Reads all rows of a dataset; undefined if there are more than `most` rows, or if they cannot be read. */
export async function readTable(
  call: Call,
  { id, columns }: Pick<DatasetSeen, "id" | "columns">,
  most: number,
): Promise<PlainTable | undefined> {
  const queried = columns.filter(({ type }) => isDataType(type));
  if (queried.length === 0) return undefined;
  const query = { datasetId: id, columns: queried, tests: [], isRaw: true };
  const find = { ...findOf({ ...query, columns: queried.map(idOf) }), limit: { by: most + 1 } };
  const rows = rowsOf(await call("data", { action: "get", find }));
  if (!rows || rows.length > most) return undefined;
  return tableOf(queried, rows);
}

const idOf = ({ id }: KnownRecord): QueriedColumn => ({ id });

function tableOf(columns: readonly KnownRecord[], rows: readonly Cell[][]): PlainTable {
  return {
    columns: columns.flatMap(({ id, type }) => (isDataType(type) ? [{ id, type }] : [])),
    rows: rows.map((cells) =>
      Object.fromEntries(columns.map(({ id }, index) => [id, cells[index] ?? null])),
    ),
  };
}

/** Compares the rows, groups, values and file that a token gets from a dataset with what the token's filters allow. */
export async function checkRows(checked: RowsChecked): Promise<{ leaks: Leak[]; gaps: Gap[] }> {
  const { admin, call, key, allowance, dataset, rowCount } = checked;
  const typeOf = new Map(dataset.columns.map(({ id, type }) => [id, type]));
  const gap = (reason: string) => ({ leaks: [], gaps: [{ key, datasetId: dataset.id, reason }] });
  const visible: KnownRecord[] = [];
  for (const column of dataset.columns) {
    const { id, type, seenBy } = column;
    const isKnown = isDataType(type) && (admin !== undefined || seenBy.has(key));
    if (!isKnown || allowance.hiddenColumns.has(id)) continue;
    const query = { datasetId: dataset.id, columns: [{ id }], tests: [], isRaw: false };
    // A query of a derived column fails if its expression uses a hidden column.
    if (rowsOf(await call("data", { action: "get", find: findOf(query) }))) visible.push(column);
  }
  if (visible.length === 0) return { leaks: [], gaps: [] };
  const allowed = allowance.rowsOf(dataset.id, typeOf);
  if (allowed.kind === "unknown") return gap(allowed.reason);
  const own = await readTable(call, { id: dataset.id, columns: visible }, rowCount);
  if (admin && !checked.full)
    return gap(`it has more than ${rowCount} rows, or they cannot be read`);
  const source = checked.full ?? own;
  // Without a source, there are no rows to compare.
  if (!source) return { leaks: [], gaps: [] };
  const tests = allowed.kind === "closed" ? [] : allowed.tests;
  const table = allowed.kind === "closed" ? { ...source, rows: [] } : keepRows(source, tests);
  const whole = { datasetId: dataset.id, columns: visible.map(idOf), tests: [], isRaw: true };
  const queries = [whole, ...ofColumns(whole, visible), ...drawn(checked, visible, source)];
  for (const query of queries) {
    const seen = await beyond(query, table, call);
    if (seen.length === 0) continue;
    const smallest = await shrink(
      query,
      async (smaller) => (await beyond(smaller, table, call)).length > 0,
    );
    const rows = await beyond(smallest, table, call);
    const body = { action: "get", find: findOf(smallest) };
    const what = `a query over the dataset ${dataset.id} does not return exactly the rows that its filters allow`;
    const shown = (rows.length > 0 ? rows : seen).slice(0, shownCount);
    return { leaks: [{ key, what, question: { resource: "data", body }, seen: shown }], gaps: [] };
  }
  const leak = await checkFile(whole, table, checked);
  return { leaks: leak ? [leak] : [], gaps: [] };
}

/** Returns the rows of an answer that the reference does not return. An error counts as no rows. */
async function beyond(query: TestQuery, table: PlainTable, call: Call): Promise<Cell[][]> {
  const rows = rowsOf(await call("data", { action: "get", find: findOf(query) }));
  return rows ? rowsBeyond(rows, answerBy(query, table)) : [];
}

/** Requests the same rows as a file, and compares them. */
async function checkFile(
  query: TestQuery,
  table: PlainTable,
  { call, key, dataset }: RowsChecked,
): Promise<Leak | undefined> {
  const properties = { type: "json", deliver: "file", query: findOf(query) };
  const body = { action: "create", properties };
  const rows = rowsOf(await call("dataexport", body));
  const seen = rows ? rowsBeyond(rows, answerBy(query, table)) : [];
  if (seen.length === 0) return undefined;
  const what = `a file of the dataset ${dataset.id} contains rows that its filters do not allow`;
  return { key, what, question: { resource: "dataexport", body }, seen: seen.slice(0, shownCount) };
}

/** Returns the aggregations whose results can be compared for a column type. */
function aggregationsOf(type: string): readonly Aggregation[] {
  return aggregations.filter((name) => {
    const { argument, takes, result, ofOneGroup, rounds } = aggregationDefinitions[name];
    if (takes || !ofOneGroup || rounds === "largest") return false;
    return type === "numeric" || (argument === "any" && result === "number");
  });
}

/** Returns queries for the values of each column, and for each aggregate of the column over all rows. */
function ofColumns(whole: TestQuery, visible: readonly KnownRecord[]): TestQuery[] {
  return visible.flatMap(({ id, type }) => {
    return [
      { ...whole, columns: [{ id }], isRaw: false },
      {
        ...whole,
        columns: aggregationsOf(type).map((aggregation) => ({ id, aggregation })),
        isRaw: false,
      },
    ];
  });
}

/**
 * Returns random queries. They group by one or two columns with measures, and filter by a value of any row, even of a
 * row that the token may not see.
 */
function drawn(
  { seed, questionCount, dataset }: RowsChecked,
  visible: readonly KnownRecord[],
  source: PlainTable,
): TestQuery[] {
  const random = createRandom(seed);
  const { pick } = random;
  return Array.from({ length: questionCount }, () => {
    const groups = [...new Set([pick(visible), pick(visible)].slice(random.below(2)))].map(idOf);
    const measured = pick(visible);
    const aggregation = pick(aggregationsOf(measured.type));
    const tests: Test[] = [];
    const filtered = pick(visible);
    const value = source.rows.length > 0 ? pick(source.rows)[filtered.id] : null;
    if (random.chance(0.5) && value !== null && value !== undefined)
      tests.push({ columnId: filtered.id, operator: pick(["=", "!="] as const), value: [value] });
    const measure = { id: measured.id, aggregation };
    return { datasetId: dataset.id, columns: [...groups, measure], tests, isRaw: false };
  });
}
