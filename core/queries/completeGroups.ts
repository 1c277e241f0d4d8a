import { evaluate } from "../expressions/index.ts";
import { ApiError } from "../errors.ts";
import type { Batch, Cell, QueryColumn, Vector } from "../../plugins/protocol/index.ts";

/** All values that a key may have, null among them when it occurs; numbers and milliseconds, or texts. */
export interface Domain {
  /** Index of the key in the columns of the groups. */
  readonly column: number;
  readonly values: readonly Cell[];
}

/**
 * Lists the values of a key: those that are in `vector`, and of periods and bins also those between the first and the last.
 * Undefined when there are more than `most` between these. O(values + most).
 */
export function domainOf(
  vector: Vector,
  { level, bin }: QueryColumn,
  timezone: string,
  most: number,
): readonly Cell[] | undefined {
  const cells = rawCells(vector);
  const known = cells.filter((cell) => typeof cell === "number");
  if (known.length === 0 || (!level && !bin)) return [...new Set(cells)];
  const [first, last] = known.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
  const values = new Set<Cell>(cells);
  const start = bin ? Math.round((first - bin.origin) / bin.width) : 0;
  let at: number | undefined = first;
  for (let index = 1; at !== undefined && at <= last; index++) {
    if (index > most) return undefined;
    values.add(at);
    const next: number | undefined = bin
      ? bin.origin + (start + index) * bin.width
      : level && nextPeriod(at, level, timezone);
    at = next !== undefined && next > at ? next : undefined;
  }
  return [...values];
}

/**
 * Adds a group for every combination of the values of `domains`, and of the values of the other keys that stand together in a group,
 * that has none: its counts are 0, its other measures null.
 * @throws {ApiError} QUERY_TOO_MANY_ROWS when there are more than `most`
 */
export function completeGroups(
  groups: Batch,
  columns: readonly QueryColumn[],
  domains: readonly Domain[],
  most: number,
): Batch {
  const cells = groups.columns.map(rawCells);
  const keys = columns.flatMap(({ aggregation }, index) => (aggregation ? [] : [index]));
  const others = keys.filter((index) => !domains.some(({ column }) => column === index));
  const rowOf = (indexes: readonly number[], row: number) =>
    indexes.map((index) => cells[index]?.[row] ?? null);
  const together = new Map<string, readonly Cell[]>();
  const present = new Set<string>();
  for (let row = 0; row < groups.rowCount; row++) {
    const other = rowOf(others, row);
    together.set(JSON.stringify(other), other);
    present.add(JSON.stringify(rowOf(keys, row)));
  }
  if (others.length === 0) together.set("[]", []);
  const count = domains.reduce((product, { values }) => product * values.length, together.size);
  if (Math.max(count, groups.rowCount) > most) throw new ApiError("QUERY_TOO_MANY_ROWS", [most]);
  const added: Cell[][] = columns.map(() => []);
  for (const other of together.values())
    for (const chosen of combinations(domains)) {
      const byColumn = new Map<number, Cell>([
        ...others.map((index, place) => [index, other[place] ?? null] as const),
        ...domains.map(({ column }, place) => [column, chosen[place] ?? null] as const),
      ]);
      if (present.has(JSON.stringify(keys.map((index) => byColumn.get(index) ?? null)))) continue;
      columns.forEach((column, index) => {
        added[index]?.push(column.aggregation ? emptyValue(column) : (byColumn.get(index) ?? null));
      });
    }
  return {
    rowCount: groups.rowCount + (added[0]?.length ?? 0),
    columns: groups.columns.map((vector, index) => appended(vector, added[index] ?? [])),
  };
}

function* combinations(domains: readonly Domain[]): Generator<readonly Cell[]> {
  const [first, ...rest] = domains;
  if (!first) return yield [];
  for (const value of first.values)
    for (const others of combinations(rest)) yield [value, ...others];
}

/** What an aggregation makes of no rows. */
function emptyValue({ aggregation }: QueryColumn): Cell {
  return aggregation === "count" || aggregation === "distinctcount" ? 0 : null;
}

/** Numbers, milliseconds and texts; unlike the cells of the wire. */
function rawCells(vector: Vector): Cell[] {
  if (vector.type === "hierarchy")
    return Array.from(vector.codes, (code) => vector.dictionary[code] ?? null);
  return Array.from(vector.values, (value) => (Number.isNaN(value) ? null : value));
}

function appended(vector: Vector, cells: readonly Cell[]): Vector {
  if (vector.type !== "hierarchy") {
    const values = new Float64Array(vector.values.length + cells.length);
    values.set(vector.values);
    cells.forEach((cell, index) => {
      values[vector.values.length + index] = typeof cell === "number" ? cell : Number.NaN;
    });
    return { type: vector.type, values };
  }
  const dictionary = [...vector.dictionary];
  const codeOf = new Map(dictionary.map((text, code) => [text, code]));
  const codes = new Int32Array(vector.codes.length + cells.length);
  codes.set(vector.codes);
  cells.forEach((cell, index) => {
    let code = typeof cell === "string" ? codeOf.get(cell) : -1;
    if (code === undefined) {
      code = dictionary.push(String(cell)) - 1;
      codeOf.set(String(cell), code);
    }
    codes[vector.codes.length + index] = code;
  });
  return { type: "hierarchy", codes, dictionary };
}

function nextPeriod(at: number, level: string, timezone: string): number | undefined {
  const text = (value: string) => ({ kind: "literal", type: "text", value }) as const;
  const [unit, zone] = [text(level), text(timezone)];
  const moved = evaluate({
    kind: "call",
    type: "datetime",
    function: "dateAdd",
    args: [
      unit,
      { kind: "literal", type: "number", value: 1 },
      { kind: "literal", type: "datetime", value: at },
      zone,
    ],
  });
  if (typeof moved !== "number") return undefined;
  const start = evaluate({
    kind: "call",
    type: "datetime",
    function: "dateTrunc",
    args: [unit, { kind: "literal", type: "datetime", value: moved }, zone],
  });
  return typeof start === "number" ? start : undefined;
}
