import { applyFunction } from "../expressions/index.ts";
import { ApiError } from "../../base/index.ts";
import {
  aggregationDefinitions,
  limitsOf,
  type Batch,
  type Cell,
  type QueryColumn,
  type BatchColumn,
} from "../../../plugins/protocol/index.ts";
import { visitInSlices } from "./visitInSlices.ts";

/** All values that a key can have: numbers, instants in milliseconds or strings, and null if it occurs. */
export interface Domain {
  /** Index of the key among the columns of the groups. */
  readonly column: number;
  readonly values: readonly Cell[];
}

/**
 * Lists the values of a key: the values in `vector` and, for periods and bins, also every period or bin between the
 * first and the last. Returns undefined if that would be more than `most` periods or bins. O(values + most). Yields
 * after each short step.
 */
export function* domainOf(
  vector: BatchColumn,
  { level, bin }: QueryColumn,
  timezone: string,
  most: number,
): Generator<undefined, readonly Cell[] | undefined> {
  const values = new Set<Cell>();
  let first = Infinity;
  let last = -Infinity;
  yield* visitInSlices(lengthOf(vector), (row) => {
    const cell = cellAt(vector, row);
    values.add(cell);
    if (typeof cell !== "number") return;
    first = Math.min(first, cell);
    last = Math.max(last, cell);
  });
  if (first > last || (!level && !bin)) return [...values];
  const limits = bin && limitsOf(bin);
  const start = limits?.indexOf(first) ?? 0;
  let at: number | undefined = first;
  for (let index = 1; at !== undefined && at <= last; index++) {
    if (index > most) return undefined;
    values.add(at);
    const next: number | undefined = limits
      ? limits.limit(start + index)
      : level && nextPeriod(at, level, timezone);
    at = next !== undefined && next > at ? next : undefined;
    if (index % periodsPerStep === 0) yield;
  }
  return [...values];
}

/** Number of periods that can be counted in a fraction of a millisecond. */
const periodsPerStep = 16;

/**
 * Adds the groups that occur in no row: every combination of the values of `domains` with the occurring combinations of
 * the other keys. In added groups, counts are 0 and all other measures null. The combinations are counted before any is
 * added. O(combinations * columns). Yields after each short step.
 * @throws {ApiError} QUERY_TOO_MANY_COMBINATIONS if there are more than `most`
 */
export function* completeGroups(
  groups: Batch,
  columns: readonly QueryColumn[],
  domains: readonly Domain[],
  most: number,
): Generator<undefined, Batch> {
  const { rowCount } = groups;
  const others = columns.flatMap(({ aggregation }, index) =>
    aggregation || domains.some(({ column }) => column === index) ? [] : [index],
  );
  const together = yield* combine(groups, others);
  const count = domains.reduce((product, { values }) => product * values.length, together.count);
  if (Math.max(count, rowCount) > most)
    throw new ApiError("QUERY_TOO_MANY_COMBINATIONS", [
      Math.max(count, rowCount),
      [together.count, ...domains.map(({ values }) => values.length)].join(" x "),
      most,
    ]);
  const present = new Uint8Array(count);
  const codes: Int32Array[] = [];
  for (const { column, values } of domains)
    codes.push(yield* placesIn(values, vectorAt(groups, column)));
  yield* visitInSlices(rowCount, (row) => {
    let place = together.places[row] ?? 0;
    for (const [index, { values }] of domains.entries()) {
      const code = codes[index]?.[row] ?? -1;
      // The rows have changed since the domain was fetched, which did not contain this value.
      if (code < 0) return;
      place = place * values.length + code;
    }
    present[place] = 1;
  });
  let missingCount = 0;
  yield* visitInSlices(count, (place) => {
    if (present[place] === 0) missingCount++;
  });
  const missing = new Uint32Array(missingCount);
  let found = 0;
  yield* visitInSlices(count, (place) => {
    if (present[place] === 0) missing[found++] = place;
  });
  const added: BatchColumn[] = [];
  for (const [index, { aggregation }] of columns.entries()) {
    const vector = vectorAt(groups, index);
    const domain = domains.findIndex(({ column }) => column === index);
    if (aggregation) {
      const { empty } = aggregationDefinitions[aggregation];
      added.push(yield* appended(vector, missingCount, () => empty));
    } else if (domain < 0) {
      const size = domains.reduce((product, { values }) => product * values.length, 1);
      const rowOf = (row: number) => together.rows[Math.floor((missing[row] ?? 0) / size)] ?? 0;
      added.push(yield* appended(vector, missingCount, (row) => cellAt(vector, rowOf(row))));
    } else {
      const { values = [] } = domains[domain] ?? {};
      const size = domains
        .slice(domain + 1)
        .reduce((product, each) => product * each.values.length, 1);
      const codeOf = (row: number) => Math.floor((missing[row] ?? 0) / size) % values.length;
      added.push(yield* appended(vector, missingCount, (row) => values[codeOf(row)] ?? null));
    }
  }
  return { rowCount: rowCount + missingCount, columns: added };
}

interface Combinations {
  readonly count: number;
  /** For each row, the number of its combination. */
  readonly places: Uint32Array;
  /** The first row of each combination. */
  readonly rows: readonly number[];
}

/**
 * Numbers the combinations of some columns in the order in which they occur. Without columns, there is exactly one
 * combination.
 */
function* combine(groups: Batch, columns: readonly number[]): Generator<undefined, Combinations> {
  const { rowCount } = groups;
  let combinations: Combinations = { count: 1, places: new Uint32Array(rowCount), rows: [] };
  for (const column of columns) {
    const vector = vectorAt(groups, column);
    const own = new Map<Cell, number>();
    const known = new Map<number, number>();
    const places = new Uint32Array(rowCount);
    const rows: number[] = [];
    const before = combinations.places;
    yield* visitInSlices(rowCount, (row) => {
      const cell = cellAt(vector, row);
      const code = own.get(cell) ?? own.size;
      own.set(cell, code);
      const pair = code * combinations.count + (before[row] ?? 0);
      let place = known.get(pair);
      if (place === undefined) known.set(pair, (place = rows.push(row) - 1));
      places[row] = place;
    });
    combinations = { count: rows.length, places, rows };
  }
  return combinations;
}

/** Returns the index in `values` of each cell of a vector, or -1. */
function* placesIn(values: readonly Cell[], vector: BatchColumn): Generator<undefined, Int32Array> {
  const placeOf = new Map<Cell, number>();
  yield* visitInSlices(values.length, (place) => placeOf.set(values[place] ?? null, place));
  const places = new Int32Array(lengthOf(vector));
  yield* visitInSlices(places.length, (row) => {
    places[row] = placeOf.get(cellAt(vector, row)) ?? -1;
  });
  return places;
}

function vectorAt(groups: Batch, index: number): BatchColumn {
  const vector = groups.columns[index];
  if (vector) return vector;
  throw new TypeError(`the groups must have a column ${index}`);
}

function lengthOf(vector: BatchColumn): number {
  return vector.type === "hierarchy" ? vector.codes.length : vector.values.length;
}

/**
 * Returns a cell as a number, as milliseconds for an instant, or as a string. On the wire, an instant would be an ISO
 * string.
 */
function cellAt(vector: BatchColumn, row: number): Cell {
  if (vector.type === "hierarchy") return vector.dictionary[vector.codes[row] ?? -1] ?? null;
  const value = vector.values[row] ?? Number.NaN;
  return Number.isNaN(value) ? null : value;
}

function* appended(
  vector: BatchColumn,
  count: number,
  cellOf: (row: number) => Cell,
): Generator<undefined, BatchColumn> {
  const from = lengthOf(vector);
  if (vector.type !== "hierarchy") {
    const values = new Float64Array(from + count);
    values.set(vector.values);
    yield* visitInSlices(count, (row) => {
      const cell = cellOf(row);
      values[from + row] = typeof cell === "number" ? cell : Number.NaN;
    });
    return { type: vector.type, values };
  }
  const dictionary: string[] = [];
  const codeOf = new Map<string, number>();
  yield* visitInSlices(vector.dictionary.length, (code) => {
    const text = vector.dictionary[code] ?? "";
    dictionary.push(text);
    codeOf.set(text, code);
  });
  const codes = new Int32Array(from + count);
  codes.set(vector.codes);
  yield* visitInSlices(count, (row) => {
    const cell = cellOf(row);
    if (typeof cell !== "string") {
      codes[from + row] = -1;
      return;
    }
    let code = codeOf.get(cell);
    if (code === undefined) codeOf.set(cell, (code = dictionary.push(cell) - 1));
    codes[from + row] = code;
  });
  return { type: "hierarchy", codes, dictionary };
}

function nextPeriod(at: number, level: string, timezone: string): number | undefined {
  const moved = applyFunction("dateAdd", [level, 1, at, timezone]);
  if (typeof moved !== "number") return undefined;
  const start = applyFunction("dateTrunc", [level, moved, timezone]);
  return typeof start === "number" ? start : undefined;
}
