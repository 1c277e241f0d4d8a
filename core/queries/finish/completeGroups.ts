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
import { appendCells, cellAt, columnAt, lengthOf } from "./batchCells.ts";
import { combineCells } from "./combineCells.ts";
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
  const together = yield* combineCells(groups, others);
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
    codes.push(yield* placesIn(values, columnAt(groups, column)));
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
    const vector = columnAt(groups, index);
    const domain = domains.findIndex(({ column }) => column === index);
    if (aggregation) {
      const { empty } = aggregationDefinitions[aggregation];
      added.push(yield* appendCells(vector, missingCount, () => empty));
    } else if (domain < 0) {
      const size = domains.reduce((product, { values }) => product * values.length, 1);
      const rowOf = (row: number) => together.rows[Math.floor((missing[row] ?? 0) / size)] ?? 0;
      added.push(yield* appendCells(vector, missingCount, (row) => cellAt(vector, rowOf(row))));
    } else {
      const { values = [] } = domains[domain] ?? {};
      const size = domains
        .slice(domain + 1)
        .reduce((product, each) => product * each.values.length, 1);
      const codeOf = (row: number) => Math.floor((missing[row] ?? 0) / size) % values.length;
      added.push(yield* appendCells(vector, missingCount, (row) => values[codeOf(row)] ?? null));
    }
  }
  return { rowCount: rowCount + missingCount, columns: added };
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

function nextPeriod(at: number, level: string, timezone: string): number | undefined {
  const moved = applyFunction("dateAdd", [level, 1, at, timezone]);
  if (typeof moved !== "number") return undefined;
  const start = applyFunction("dateTrunc", [level, moved, timezone]);
  return typeof start === "number" ? start : undefined;
}
