import {
  aggregationDefinitions,
  aggregations,
  levelNumber,
  levelOfNumber,
  type Level,
} from "../../../plugins/protocol/index.ts";
import {
  isList,
  isObject,
  isUuid,
  type Principal,
  type Records,
  type Members,
} from "../../base/index.ts";
import { relativeOf, relativeRange } from "../../queries/index.ts";

/** A query that selects one whole period of a datetime column. The period moves with the slot. */
export interface WindowedQuery {
  /** Returns the query that covers all periods at once. Its first dimension is the period. */
  grouped(fromMs: number, toMs: number): object;
  /**
   * Returns the same query without `having`, which shows the periods that have rows. Undefined for a query with
   * dimensions.
   */
  readonly present: ((fromMs: number, toMs: number) => object) | undefined;
  /** Returns the period of a slot; undefined if the slot's window is not a single period. */
  windowOf(slotMs: number): { readonly fromMs: number; readonly toMs: number } | undefined;
  /**
   * Whether the query has no dimensions. Its answer then has one row even if the window contains no rows of the
   * dataset.
   */
  readonly isTotal: boolean;
}

/**
 * Returns how a single grouped query can answer a query for all slots. One test of `where` must select a whole period
 * relative to now (`ago`, `last_completed`, `next_full`). Nothing else may depend on the slot, or on rows outside the
 * group. Returns undefined for any other query, such as a query over an inner query, which must run slot by slot.
 */
export async function groupByWindow(
  query: unknown,
  { restriction }: Principal,
  records: Records,
): Promise<WindowedQuery | undefined> {
  if (!isObject(query) || restriction?.filters.some(({ clause }) => clause === "having"))
    return undefined;
  const { dimensions = [], from, measures = [], where, having, order, limit, options = {} } = query;
  if ((from ?? null) !== null) return undefined;
  if (!isList(dimensions) || !isList(measures) || !isList(where)) return undefined;
  if (!isObject<"paging" | "rollup_data" | "timezone_id">(options)) return undefined;
  const isPaged = (limit ?? options.paging ?? null) !== null;
  if (isPaged || options.rollup_data === false) return undefined;
  const test = where.find(isRelative);
  const others = where.filter((each) => each !== test);
  if (!isObject(test) || others.some(hasRelative) || hasRelative(having)) return undefined;
  const window = readWindow(test);
  const references = [...dimensions, ...measures];
  if (!window || !references.every(isPlain)) return undefined;
  const id = String(window.column.column_id).toLowerCase();
  const isShown = dimensions.some(
    (each) => isObject<"column_id">(each) && String(each.column_id).toLowerCase() === id,
  );
  const columns = await storedColumns(query, records);
  const column = columns?.get(id);
  if (!columns || !column || isShown) return undefined;
  const zone = options.timezone_id ?? restriction?.timezoneId;
  const timezone = typeof zone === "string" && zone !== "" ? zone : "UTC";
  const isDate = column.subtype === "date";
  const rangeAt = (anchorMs: number, shape: Shape) =>
    relativeRange({ ...shape, anchorMs, timezone, isDate });
  const dimension = { ...window.column, level: levelNumber(window.unit) };
  const grouped = (fromMs: number, toMs: number, more: Members): object => ({
    ...query,
    ...more,
    dimensions: [dimension, ...dimensions],
    where: [
      ...others,
      { expression: "? >= ?", parameters: [window.column, new Date(fromMs).toISOString()] },
      { expression: "? < ?", parameters: [window.column, new Date(toMs).toISOString()] },
    ],
  });
  const ordered = Array.isArray(order) ? { order: [dimension, ...order] } : {};
  const isTotal = dimensions.length === 0;
  return {
    isTotal,
    grouped: (fromMs, toMs) => grouped(fromMs, toMs, ordered),
    present:
      isTotal && Array.isArray(having) && having.length > 0
        ? (fromMs, toMs) => grouped(fromMs, toMs, { having: [], order: [] })
        : undefined,
    windowOf(slotMs) {
      const { from, to } = rangeAt(slotMs, window) ?? {};
      if (!from || !to || from.at >= to.at) return undefined;
      // The window is a single period if the period of its last millisecond has the same bounds.
      const whole = { word: "ago", unit: window.unit, quantity: 0 } as const;
      const last = relativeRange({
        ...whole,
        anchorMs: to.at - 1,
        timezone: isDate ? "UTC" : timezone,
        isDate: false,
      });
      const isPeriod = last?.from?.at === from.at && last.to?.at === to.at;
      return isPeriod ? { fromMs: from.at, toMs: to.at } : undefined;
    },
  };
}

interface Shape {
  readonly word: "ago" | "last_completed" | "next_full";
  readonly unit: Level;
  readonly quantity: number;
}

/** Reads a test that selects one whole period of a plain column. */
function readWindow({
  expression,
  parameters,
}: Members): (Shape & { readonly column: Members<"column_id"> }) | undefined {
  const word = typeof expression === "string" ? relativeOf(expression)?.word : undefined;
  const [column, given] = isList(parameters) ? parameters : [];
  if (
    !isObject<"column_id" | "level" | "aggregation">(column) ||
    !isObject<"unit" | "quantity">(given) ||
    !isPlain(column)
  )
    return undefined;
  if (column.level || column.aggregation) return undefined;
  const unit = levelOfNumber(Number(given.unit));
  const quantity = Math.abs(Number(given.quantity ?? 1));
  if (!unit || !Number.isInteger(quantity)) return undefined;
  if (word === "ago") return { word, unit, quantity, column };
  const isOne = quantity === 1 && (word === "last_completed" || word === "next_full");
  return isOne ? { word, unit, quantity, column } : undefined;
}

const isRelative = (entry: unknown): boolean =>
  isObject<"expression">(entry) &&
  typeof entry.expression === "string" &&
  relativeOf(entry.expression) !== undefined;

function hasRelative(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(hasRelative);
  if (!isObject(part)) return false;
  return isRelative(part) || Object.values(part).some(hasRelative);
}

/** Returns whether a reference names a column whose value in a group depends only on the rows of that group. */
function isPlain(reference: unknown): boolean {
  if (!isObject(reference)) return false;
  const { column_id, aggregation, discretization, include_nonoccurring: isComplete } = reference;
  const other = ["expression", "formula", "formula_id"].some(
    (member) => (reference[member] ?? null) !== null,
  );
  return (
    typeof column_id === "string" &&
    !other &&
    !discretization &&
    !isComplete &&
    isOfOneGroup(aggregation ?? null)
  );
}

/**
 * Returns whether an aggregation depends only on the rows of one group. Its weight, if it has one, must be a plain
 * column.
 */
function isOfOneGroup(aggregation: unknown): boolean {
  const members: Members = isObject(aggregation) ? aggregation : { type: aggregation };
  const { type = null, expression, discretization } = members;
  if (type === null) return true;
  const name = aggregations.find((known) => known === type);
  if (name === undefined || !aggregationDefinitions[name].ofOneGroup) return false;
  return (expression ?? null) === null && !discretization;
}

interface StoredColumn {
  readonly subtype: string | null;
}

/**
 * Returns the columns that a query names, by id. Undefined if a column is derived, because its expression may read the
 * clock.
 */
async function storedColumns(
  query: unknown,
  records: Records,
): Promise<ReadonlyMap<string, StoredColumn> | undefined> {
  const text = JSON.stringify(query);
  if (/"(?:formula_id|formula)"/.test(text)) return undefined;
  const ids = [...text.matchAll(/"column_id":"([^"]+)"/g)].map(([, id = ""]) => id.toLowerCase());
  const named = [...new Set(ids.filter((id) => id !== "*"))];
  if (!named.every(isUuid)) return undefined;
  const columns = await records.find("column", { id: named });
  const isStored =
    columns.length === named.length && columns.every(({ expression }) => !expression);
  return isStored ? new Map(columns.map((each) => [each.id, each])) : undefined;
}

/**
 * Returns whether the row filters of an answer may depend on the slot: relative filters do, and filters on derived or
 * hidden columns may.
 */
export async function readsTheClock(
  filters: readonly {
    readonly origin: string;
    readonly column_id?: string;
    readonly expression?: string;
  }[],
  records: Records,
): Promise<boolean> {
  const bound = filters.filter(({ origin }) => origin !== "question");
  for (const { column_id, expression } of bound) {
    if (column_id === undefined || expression === undefined || relativeOf(expression)) return true;
    const [column] = isUuid(column_id) ? await records.find("column", { id: column_id }) : [];
    if (!column || column.expression) return true;
  }
  return false;
}
