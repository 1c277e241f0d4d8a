import {
  limitsOf,
  PluginError,
  columnOfCells,
  type Batch,
  type Bin,
  type Cell,
  type Column,
  type ColumnFilter,
  type Level,
  type Operator,
  type OutputFilter,
  type Query,
  type QueryColumn,
} from "../../plugins/protocol/index.ts";

import { plainExpression } from "./plainExpression.ts";

export type PlainRow = Readonly<Record<string, Cell>>;

export interface PlainTable {
  readonly columns: readonly Pick<Column, "id" | "type">[];
  readonly rows: readonly PlainRow[];
}

/** Answers a query over a table in plain JavaScript, a row at a time: the oracle of what a query means. */
export function plainAnswer(query: Query, table: PlainTable): Batch {
  const { columns, filters, having, order, limit, options } = query;
  if (query.derived?.length) return plainAnswer(withoutDerived(query), derivedTable(query, table));
  const timezone = options.timezone_id ?? "UTC";
  const valueOf = (row: PlainRow, id: string, level?: Level, bin?: Bin): Cell => {
    if (!table.columns.some((column) => column.id === id))
      throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [query.id, id]);
    const value = row[id] ?? null;
    if (bin && typeof value === "number") return finite(limitsOf(bin).startOf(value));
    return level && typeof value === "string" ? truncate(value, level, timezone) : value;
  };
  const selected = table.rows.filter((row) =>
    filters.every((filter) =>
      holds<ColumnFilter>(filter, (test) =>
        passes(valueOf(row, test.column_id, test.level), test.expression, test.value),
      ),
    ),
  );
  const keys = columns.filter((column) => !column.aggregation);
  const groups = new Map<string, PlainRow[]>();
  if (options.pushdown && keys.length === 0) groups.set("[]", []);
  selected.forEach((row, index) => {
    const key = options.pushdown
      ? JSON.stringify(
          keys.map((column) => valueOf(row, column.column_id, column.level, column.bin)),
        )
      : String(index);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  });
  const fold = (rows: readonly PlainRow[], column: QueryColumn): Cell => {
    if (column.column_id === "*") return rows.length;
    const values = rows.map((row) => valueOf(row, column.column_id, column.level, column.bin));
    if (!column.aggregation) return values[0] ?? null;
    const { weight } = column;
    if (weight === undefined) return aggregate(values, column.aggregation, column.fraction);
    return weightedAverage(
      values,
      rows.map((row) => valueOf(row, weight)),
    );
  };
  const rows = [...groups.values()]
    .map((group) => columns.map((column) => fold(group, column)))
    .filter((row) =>
      (having ?? []).every((test) =>
        holds<OutputFilter>(test, (leaf) =>
          passes(row[leaf.column] ?? null, leaf.expression, leaf.value),
        ),
      ),
    );
  for (const { column, order: direction } of (order ?? []).toReversed())
    rows.sort((one, other) =>
      compareNullsLast(one[column] ?? null, other[column] ?? null, direction),
    );
  columns.forEach(({ aggregation }, column) => {
    if (aggregation !== "cumulativesum") return;
    let sum: number | null = null;
    for (const row of rows) {
      const cell = row[column] ?? null;
      if (cell !== null) sum = (sum ?? 0) + Number(cell);
      row[column] = sum;
    }
  });
  const page = limit ? rows.slice(limit.offset ?? 0, (limit.offset ?? 0) + limit.by) : rows;
  return {
    rowCount: page.length,
    columns: columns.map((column, index) => {
      const own = table.columns.find(({ id }) => id === column.column_id)?.type ?? "numeric";
      const isNumber =
        column.aggregation && column.aggregation !== "min" && column.aggregation !== "max";
      return columnOfCells(
        { id: column.column_id, type: isNumber ? "numeric" : own },
        page.map((row) => row[index] ?? null),
      );
    }),
  };
}

function withoutDerived(query: Query): Query {
  const { derived: _, ...rest } = query;
  return rest;
}

/** The table with the derived columns of a query as columns of its own. */
function derivedTable({ id, derived = [] }: Query, table: PlainTable): PlainTable {
  const columns = new Map(table.columns.map((column) => [column.id, column]));
  return {
    columns: [...table.columns, ...derived],
    rows: table.rows.map((row) => {
      const cellOf = (columnId: string) => {
        const column = columns.get(columnId);
        if (!column) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [id, columnId]);
        return { type: column.type, cell: row[columnId] ?? null };
      };
      const added = derived.map((each) => [
        each.id,
        plainExpression(each.expression, each.type, cellOf),
      ]);
      return { ...row, ...(Object.fromEntries(added) as PlainRow) };
    }),
  };
}

function holds<Leaf extends object>(
  test: Leaf | { readonly and: readonly unknown[] } | { readonly or: readonly unknown[] },
  leaf: (test: Leaf) => boolean,
): boolean {
  if ("and" in test) return test.and.every((member) => holds(member as Leaf, leaf));
  if ("or" in test) return test.or.some((member) => holds(member as Leaf, leaf));
  return leaf(test);
}

const patterns: Readonly<Partial<Record<Operator, (part: string) => string>>> = {
  like: (part) => part,
  "starts with": (part) => `^${part}`,
  "ends with": (part) => `${part}$`,
};

function passes(value: Cell, operator: Operator, list: readonly Cell[] = []): boolean {
  if (operator === "is null") return value === null;
  if (operator === "is not null") return value !== null;
  if (operator === "!=") return !passes(value, "=", list);
  if (operator.startsWith("not ")) return !passes(value, operator.slice(4) as Operator, list);
  if (operator === "in") return list.some((entry) => entry === value);
  const [wanted] = list;
  if (value === null || wanted === null || wanted === undefined) return false;
  if (operator === "=") return value === wanted;
  const pattern = patterns[operator];
  // The flags `iu` compare by simple case folding (ECMA-262, Canonicalize).
  if (pattern) return new RegExp(pattern(RegExp.escape(String(wanted))), "iu").test(String(value));
  const sign = compare(value, wanted);
  return { "<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0 }[operator as "<"];
}

function aggregate(
  cells: readonly Cell[],
  aggregation: NonNullable<QueryColumn["aggregation"]>,
  fraction = 0.5,
): Cell {
  const values = cells.filter((cell) => cell !== null);
  if (aggregation === "count") return values.length;
  if (aggregation === "distinctcount") return new Set(values).size;
  if (values.length === 0) return null;
  const sorted = values.toSorted(compare);
  if (aggregation === "min") return sorted[0] ?? null;
  if (aggregation === "max") return sorted.at(-1) ?? null;
  const sumBy = (scale: number) =>
    values.reduce((total: number, value) => total + Number(value) * scale, 0);
  const fold = (scale: number) => {
    const sum = sumBy(scale);
    if (aggregation === "sum" || aggregation === "cumulativesum") return sum / scale;
    const mean = sum / values.length;
    if (aggregation === "average") return mean / scale;
    const squares = values.map((value) => (Number(value) * scale - mean) ** 2);
    const total = squares.reduce((all, square) => all + square, 0);
    return Math.sqrt(total / (values.length - 1)) / scale;
  };
  if (["sum", "cumulativesum", "average", "stddev"].includes(aggregation)) {
    if (aggregation === "stddev" && values.length < 2) return null;
    return finite(fold(1)) ?? finite(fold(aggregation === "stddev" ? 2 ** -560 : 2 ** -64));
  }
  const place = fraction * (values.length - 1);
  const [low, high] = [Number(sorted[Math.floor(place)]), Number(sorted[Math.ceil(place)])];
  return low + (high - low) * (place - Math.floor(place));
}

function weightedAverage(values: readonly Cell[], weights: readonly Cell[]): Cell {
  let [products, total, count] = [0, 0, 0];
  values.forEach((value, row) => {
    const weight = weights[row] ?? null;
    if (value === null || weight === null) return;
    products += Number(value) * Number(weight);
    total += Number(weight);
    count++;
  });
  return count === 0 || total === 0 ? null : finite(products / total);
}

/** No vector holds a number past the range of doubles. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function compareNullsLast(one: Cell, other: Cell, direction: "asc" | "desc"): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return direction === "asc" ? compare(one, other) : compare(other, one);
}

const instant = /^(\d{4}|[-+]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Numbers by value, texts by code point; instants by time, since beyond the year 9999 their texts stand otherwise. */
function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (instant.test(String(one)) && instant.test(String(other)))
    return Date.parse(String(one)) - Date.parse(String(other));
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

function truncate(instant: string, level: Level, timezone: string): string {
  const at = Temporal.Instant.from(instant).toZonedDateTimeISO(timezone);
  const start = withinTime(() => periodStart(at, level)) ?? -8.64e15;
  return new Date(start).toISOString();
}

/** The result, undefined past the ends of ECMAScript's time. */
function withinTime<Result>(compute: () => Result): Result | undefined {
  try {
    return compute();
  } catch (failure) {
    if (failure instanceof RangeError) return undefined;
    throw failure;
  }
}

/**
 * Milliseconds of the instant at which the period starts; an hour or less that a change of the clock cuts starts at the
 * change.
 */
function periodStart(at: Temporal.ZonedDateTime, level: Level): number {
  switch (level) {
    case "year":
      return startOf(at.with({ month: 1, day: 1 }));
    case "quarter":
      return startOf(at.with({ day: 1 }).with({ month: Math.floor((at.month - 1) / 3) * 3 + 1 }));
    case "month":
      return startOf(at.with({ day: 1 }));
    case "week":
      return startOf(at.subtract({ days: at.dayOfWeek - 1 }));
    case "day":
      return startOf(at);
    default: {
      const length = { hour: 3_600_000, minute: 60_000, second: 1000, millisecond: 1 }[level];
      const offset = at.offsetNanoseconds / 1e6;
      const start = Math.floor((at.epochMilliseconds + offset) / length) * length - offset;
      const after = withinTime(() => at.add({ nanoseconds: 1 })) ?? at;
      const change = after.getTimeZoneTransition("previous");
      return Math.max(start, change?.epochMilliseconds ?? -8.64e15);
    }
  }
}

function startOf(at: Temporal.ZonedDateTime): number {
  return at.startOfDay().epochMilliseconds;
}
